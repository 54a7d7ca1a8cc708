package dev.jono.support.mongo;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import dev.jono.OutcomeUnknownException;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Stores documents, each once however often the call is repeated: in commands that one session can repeat, one after the
 * other. Not thread-safe.
 *
 * @param <R> the result of the call
 */
public final class RepeatableInsert<R> {
    /** A larger command the driver might split into several, which one session cannot repeat. */
    private static final long MAX_COMMAND = 15L << 20;

    /** In the order of the list, but one that is refused does not keep the others away. */
    private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);

    private final MongoLink link;
    private final MongoCollection<RawBsonDocument> collection;
    private final String queue;
    private final List<RawBsonDocument> documents;
    private final ObjIntConsumer<BulkWriteError> refused;
    private final Supplier<R> result;
    private final RepeatableCalls.Way<R> way;

    /**
     * Nothing is stored yet.
     *
     * @param queue for messages
     * @param refused is told of each document that the server refuses, with its place among the documents; may fail with
     *     {@link OutcomeUnknownException}, and is told again at a repetition
     * @param result tells what came of it, when all are stored or refused
     * @param way where to leave how a repetition finds out what became of this call
     */
    public RepeatableInsert(
            MongoLink link,
            MongoCollection<RawBsonDocument> collection,
            String queue,
            List<RawBsonDocument> documents,
            ObjIntConsumer<BulkWriteError> refused,
            Supplier<R> result,
            RepeatableCalls.Way<R> way) {
        this.link = link;
        this.collection = collection;
        this.queue = queue;
        this.documents = documents;
        this.refused = refused;
        this.result = result;
        this.way = way;
    }

    /**
     * Stores them.
     *
     * @throws MongoException if certainly nothing is stored, or if the driver cannot tell
     * @throws OutcomeUnknownException if some are stored, and the others may or may not be
     */
    public R run() {
        return from(0);
    }

    private R from(int first) {
        if (first == documents.size()) {
            return result.get();
        }
        int end = first;
        long bytes = 0;
        while (end < documents.size() && (end == first || bytes + bytes(end) <= MAX_COMMAND)) {
            bytes += bytes(end++);
        }
        command(first, end);
        return from(end);
    }

    private int bytes(int document) {
        return documents.get(document).getByteBuffer().remaining();
    }

    private void command(int first, int end) {
        PinnedSession session = link.replicated() ? new PinnedSession(link) : null;
        boolean over = true;
        try {
            insert(session, first, end);
        } catch (MongoException | OutcomeUnknownException failure) {
            boolean unknown = MongoErrors.unknown(failure);
            if (unknown && (session == null || !session.numbered())) {
                // Sent again without a number it would be another write, and store twice what is consumed already.
                way.leave(() -> {
                    throw MongoErrors.begun("push", queue, failure);
                });
            } else if (session != null && (unknown || first > 0)) {
                over = false;
                way.leave(() -> Optional.of(link.call("push", queue, true, () -> again(session, first, end))));
            }
            // What is stored already makes a plain failure one that tells nothing of the whole.
            throw first == 0 ? failure : MongoErrors.begun("push", queue, failure);
        } finally {
            if (over && session != null) {
                session.close();
            }
        }
    }

    private R again(PinnedSession session, int first, int end) {
        insert(session, first, end);
        session.close();
        return from(end);
    }

    private void insert(@Nullable PinnedSession session, int first, int end) {
        List<RawBsonDocument> some = documents.subList(first, end);
        try {
            if (session == null) {
                collection.insertMany(some, UNORDERED);
            } else {
                collection.insertMany(session.attempt(), some, UNORDERED);
            }
        } catch (MongoBulkWriteException part) {
            if (part.getWriteConcernError() != null) {
                throw part;
            }
            part.getWriteErrors().forEach(error -> refused.accept(error, first + error.getIndex()));
        }
    }
}
