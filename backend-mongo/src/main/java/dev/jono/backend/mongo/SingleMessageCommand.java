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
 * Takes or claims one message in one command: to mark it and to delete it would be two that each wait for the journal, and to
 * claim it three round trips. Sent again in its session, the command answers with the same message: a replica set keeps what
 * the last one of a session removed, or made of it.
 */
final class SingleMessageCommand {
    /** {@code IncompleteTransactionHistory}, as a member answers that lacks what is kept, such as a new one. */
    private static final int FORGOTTEN = 217;

    private static final BsonDocument EARLIEST = Fields.doc(Fields.MATURE, Fields.ONE);
    private static final FindOneAndDeleteOptions REMOVING = new FindOneAndDeleteOptions().sort(EARLIEST);
    private static final FindOneAndUpdateOptions MARKING =
            new FindOneAndUpdateOptions().sort(EARLIEST).returnDocument(ReturnDocument.AFTER);

    private final QueueCollection queue;

    SingleMessageCommand(QueueCollection queue) {
        this.queue = queue;
    }

    /** Whether it can be done: a command without a number would get another message the second time, and history is no deletion. */
    boolean supports(boolean take) {
        return queue.link.retriesWrites() && (!take || queue.layout.historyMillis() == 0);
    }

    /**
     * Removes the message that is due first; nothing if none is.
     *
     * @param way where to leave how a repetition finds out what became of this call
     */
    Optional<StoredDocument> take(RepeatableCalls.Way<Optional<StoredDocument>> way) {
        return run("pop", (session, due) -> queue.documents.findOneAndDelete(session, due, REMOVING), way);
    }

    /**
     * Marks the message that is due first; nothing if none is.
     *
     * @param marks what it gets
     * @param way where to leave how a repetition finds out what became of this call
     * @return as it is then
     */
    Optional<StoredDocument> claim(List<BsonDocument> marks, RepeatableCalls.Way<Optional<StoredDocument>> way) {
        return run("reserve", (session, due) -> queue.documents.findOneAndUpdate(session, due, marks, MARKING), way);
    }

    private interface Command {
        @Nullable RawBsonDocument send(ClientSession session, BsonDocument due);
    }

    private Optional<StoredDocument> run(String step, Command command, RepeatableCalls.Way<Optional<StoredDocument>> way) {
        ScanStart.Position begin = queue.scanStart().position();
        Optional<StoredDocument> found = from(step, begin.millis(), command, way);
        if (found.isEmpty() && begin.millis() != ScanStart.BEGINNING) {
            begin = queue.scanStart().reset();
            found = from(step, begin.millis(), command, way);
        }
        if (found.isPresent()) {
            queue.scanStart().advance(begin, found.get().sortDueMillis());
        }
        return found;
    }

    private Optional<StoredDocument> from(String step, long from, Command command, RepeatableCalls.Way<Optional<StoredDocument>> way) {
        BsonDocument filter = queue.dueFrom(from);
        PinnedSession session = new PinnedSession(queue.link);
        boolean over = true;
        try {
            return got(command.send(session.attempt(), filter));
        } catch (MongoException failure) {
            if (MongoErrors.unknown(failure)) {
                over = false;
                way.leave(() -> Optional.of(queue.call(step, true, () -> again(step, session, filter, command))));
            }
            throw failure;
        } finally {
            if (over) {
                session.close();
            }
        }
    }

    private Optional<StoredDocument> again(String step, PinnedSession session, BsonDocument filter, Command command) {
        try {
            Optional<StoredDocument> found = got(command.send(session.attempt(), filter));
            session.close();
            return found;
        } catch (MongoException failure) {
            if (failure.getCode() == FORGOTTEN) {
                // It has got a message, and no repetition will tell which.
                throw new IllegalStateException("the server has forgotten what this " + step + " got", failure);
            }
            throw failure;
        }
    }

    private static Optional<StoredDocument> got(@Nullable RawBsonDocument document) {
        return Optional.ofNullable(document).map(StoredDocument::read);
    }
}
