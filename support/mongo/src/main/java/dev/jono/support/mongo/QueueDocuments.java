package dev.jono.support.mongo;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexModel;
import dev.jono.spi.Due;
import java.util.List;
import java.util.function.Supplier;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Base of the documents of one queue: the collection that holds them, its indexes, and how calls of the driver run. The
 * classes of one SPI method each share it. Calls block the calling thread. Thread-safe.
 */
public abstract class QueueDocuments {
    /** The connection. */
    public final MongoLink link;

    /** The name of the queue. */
    public final String queueName;

    /** The collection. */
    public final MongoCollection<RawBsonDocument> documents;

    private final Indexes indexes;
    private final List<IndexModel> indexModels;

    /**
     * For subclasses.
     *
     * @param documents the collection; it may hold the documents of other queues too
     * @param indexModels the indexes that the queue needs
     */
    protected QueueDocuments(
            MongoLink link,
            String queueName,
            MongoCollection<RawBsonDocument> documents,
            Indexes indexes,
            List<IndexModel> indexModels) {
        this.link = link;
        this.queueName = queueName;
        this.documents = documents;
        this.indexes = indexes;
        this.indexModels = indexModels;
    }

    /** Whether the server has transactions. */
    public final boolean transactional() {
        return link.replicated();
    }

    /** Creates missing indexes unless the collection is empty, then runs some calls of the driver. */
    public final <R extends @Nullable Object> R call(String step, boolean mutating, Supplier<R> calls) {
        ensureIndexes(step, false);
        return link.call(step, queueName, mutating, calls);
    }

    /** Creates missing indexes, and so the collection, then runs some calls of the driver that store documents. */
    public final <R> R store(String step, Supplier<R> calls) {
        ensureIndexes(step, true);
        return link.call(step, queueName, true, calls);
    }

    /**
     * Creates missing indexes.
     *
     * @param storing whether to create them, and the collection, also if the collection is empty
     */
    public final void ensureIndexes(String step, boolean storing) {
        if (indexModels.isEmpty()) {
            return;
        }
        link.call(step, queueName, false, () -> {
            indexes.ensure(documents, indexModels, storing);
            return documents;
        });
    }

    /** The collection was deleted: its indexes must be created again before the next insert. */
    public final void forgetIndexes() {
        indexes.forget(documents);
    }

    /**
     * Runs calls of the driver that follow a completed change. If they fail, the outcome of the whole step is unknown.
     */
    public final <R> R afterChange(String step, Supplier<R> calls) {
        try {
            return calls.get();
        } catch (MongoException failure) {
            throw MongoErrors.outcomeUnknown(step, queueName, failure);
        }
    }

    /**
     * The due time as a date. A message without a delay is due at once: its time is the earliest that the server's
     * clock can show now. A delay counts from the latest, so that the message never comes early.
     */
    public final long dueMillis(Due due) {
        if (due.absolute()) {
            return due.millis();
        }
        return due.millis() == 0 ? link.time().nowMillis() : link.time().latestMillis() + due.millis();
    }
}
