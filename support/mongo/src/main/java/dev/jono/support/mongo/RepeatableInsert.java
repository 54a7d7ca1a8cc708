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
 * Inserts documents so that each is stored once, however often the call is repeated. Each of its commands has a session
 * of its own that can repeat it; a repetition continues with the command that failed. Not thread-safe.
 *
 * @param <R> the result of the call
 */
public final class RepeatableInsert<R> {
    /** The driver might split a larger command into several, which one session cannot repeat. */
    private static final long MAX_COMMAND_BYTES = 15L << 20;

    /** The server still stores in the order of the list, but continues after a refused document. */
    private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);

    private final MongoLink link;
    private final MongoCollection<RawBsonDocument> collection;
    private final String queue;
    private final List<RawBsonDocument> documents;
    private final ObjIntConsumer<BulkWriteError> refused;
    private final Supplier<R> result;
    private final RepeatableCalls.Running<R> running;

    /**
     * Prepares an insert.
     *
     * @param queue the queue for error messages
     * @param refused is called for each document that the server refuses, with its index; may fail with
     *     {@link OutcomeUnknownException}; is called again by a repetition
     * @param result returns the result when all documents are stored or refused
     * @param running gets what a repetition does to find the outcome of this call
     */
    public RepeatableInsert(
            MongoLink link,
            MongoCollection<RawBsonDocument> collection,
            String queue,
            List<RawBsonDocument> documents,
            ObjIntConsumer<BulkWriteError> refused,
            Supplier<R> result,
            RepeatableCalls.Running<R> running) {
        this.link = link;
        this.collection = collection;
        this.queue = queue;
        this.documents = documents;
        this.refused = refused;
        this.result = result;
        this.running = running;
    }

    /**
     * Stores the documents.
     *
     * @throws MongoException if nothing is stored, or if the driver does not know
     * @throws OutcomeUnknownException if some documents are stored, and the others may or may not be
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
        while (end < documents.size() && (end == first || bytes + bytes(end) <= MAX_COMMAND_BYTES)) {
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
        boolean done = true;
        try {
            insert(session, first, end);
        } catch (MongoException | OutcomeUnknownException failure) {
            boolean unknown = MongoErrors.mayHaveTakenEffect(failure);
            if (unknown && (session == null || !session.numbered())) {
                // Without a number a repetition would be another write, and store messages again that are already
                // consumed.
                running.onRepeat(() -> {
                    throw MongoErrors.outcomeUnknown("push", queue, failure);
                });
            } else if (session != null && (unknown || first > 0)) {
                done = false;
                running.onRepeat(() -> Optional.of(link.call("push", queue, true, () -> repeat(session, first, end))));
            }
            // After a stored command, any failure leaves the outcome of the whole call unknown.
            throw first == 0 ? failure : MongoErrors.outcomeUnknown("push", queue, failure);
        } finally {
            if (done && session != null) {
                session.close();
            }
        }
    }

    private R repeat(PinnedSession session, int first, int end) {
        insert(session, first, end);
        session.close();
        return from(end);
    }

    private void insert(@Nullable PinnedSession session, int first, int end) {
        List<RawBsonDocument> batch = documents.subList(first, end);
        try {
            if (session == null) {
                collection.insertMany(batch, UNORDERED);
            } else {
                collection.insertMany(session.attempt(), batch, UNORDERED);
            }
        } catch (MongoBulkWriteException failure) {
            if (failure.getWriteConcernError() != null) {
                throw failure;
            }
            failure.getWriteErrors().forEach(error -> refused.accept(error, first + error.getIndex()));
        }
    }
}
