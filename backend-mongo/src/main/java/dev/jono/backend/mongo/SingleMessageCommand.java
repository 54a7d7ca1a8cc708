package dev.jono.backend.mongo;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.model.FindOneAndDeleteOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.PinnedSession;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Takes or claims one message with one command: marking and deleting would be two commands that each wait for the
 * journal, and a {@link BatchClaim} three round trips. A command that is sent again in its session answers with the
 * same message: a replica set keeps what the last command of a session removed or changed. Blocks the calling thread;
 * thread-safe.
 */
final class SingleMessageCommand {
    /**
     * {@code IncompleteTransactionHistory}: this server has no record of the session, for example because it is new.
     */
    private static final int NO_RECORD = 217;

    private static final BsonDocument EARLIEST = Fields.doc(Fields.MATURE, Fields.ONE);
    private static final FindOneAndDeleteOptions REMOVING = new FindOneAndDeleteOptions().sort(EARLIEST);
    private static final FindOneAndUpdateOptions MARKING =
            new FindOneAndUpdateOptions().sort(EARLIEST).returnDocument(ReturnDocument.AFTER);

    private final QueueCollection queue;

    SingleMessageCommand(QueueCollection queue) {
        this.queue = queue;
    }

    /**
     * Whether {@link #claim} is possible: without a write number, a repeated command would get another message. On a
     * keyed queue a claim checks the message before it marks it.
     */
    boolean supportsClaim() {
        return queue.link.retriesWrites() && queue.layout.maxPerKey() == 0;
    }

    /** Whether {@link #take} is possible: a take that keeps history deletes nothing. */
    boolean supportsTake() {
        return supportsClaim() && queue.layout.historyMillis() == 0;
    }

    /**
     * Removes the message that is due first; empty if none is due.
     *
     * @param running gets what a repetition does to find the outcome of this call
     */
    Optional<StoredDocument> take(RepeatableCalls.Running<Optional<StoredDocument>> running) {
        return run("pop", (session, due) -> queue.documents.findOneAndDelete(session, due, REMOVING), running);
    }

    /**
     * Marks the message that is due first; empty if none is due.
     *
     * @param change the change that marks it
     * @param running gets what a repetition does to find the outcome of this call
     * @return the message after the change
     */
    Optional<StoredDocument> claim(
            List<BsonDocument> change, RepeatableCalls.Running<Optional<StoredDocument>> running) {
        return run(
                "reserve", (session, due) -> queue.documents.findOneAndUpdate(session, due, change, MARKING), running);
    }

    private interface Command {
        @Nullable RawBsonDocument send(ClientSession session, BsonDocument due);
    }

    private Optional<StoredDocument> run(
            String step, Command command, RepeatableCalls.Running<Optional<StoredDocument>> running) {
        ScanStart.Position start = queue.scanStart().position();
        Optional<StoredDocument> found = search(step, start.millis(), command, running);
        if (found.isEmpty() && start.millis() != ScanStart.BEGINNING) {
            start = queue.scanStart().reset();
            found = search(step, start.millis(), command, running);
        }
        if (found.isPresent()) {
            queue.scanStart().advance(start, found.get().sortDueMillis());
        }
        return found;
    }

    private Optional<StoredDocument> search(
            String step, long fromMillis, Command command, RepeatableCalls.Running<Optional<StoredDocument>> running) {
        BsonDocument filter = queue.dueFrom(fromMillis);
        PinnedSession session = new PinnedSession(queue.link);
        boolean done = true;
        try {
            return read(command.send(session.attempt(), filter));
        } catch (MongoException failure) {
            if (MongoErrors.mayHaveTakenEffect(failure)) {
                done = false;
                running.onRepeat(
                        () -> Optional.of(queue.call(step, true, () -> repeat(step, session, filter, command))));
            }
            throw failure;
        } finally {
            if (done) {
                session.close();
            }
        }
    }

    private Optional<StoredDocument> repeat(String step, PinnedSession session, BsonDocument filter, Command command) {
        try {
            Optional<StoredDocument> found = read(command.send(session.attempt(), filter));
            session.close();
            return found;
        } catch (MongoException failure) {
            if (failure.getCode() == NO_RECORD) {
                // The first attempt got a message, and no repetition can find out which.
                throw new IllegalStateException(
                        "the server no longer knows which message this " + step + " got", failure);
            }
            throw failure;
        }
    }

    private static Optional<StoredDocument> read(@Nullable RawBsonDocument document) {
        return Optional.ofNullable(document).map(StoredDocument::read);
    }
}
