package dev.jono.backend.mongo;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.WriteModel;
import dev.jono.spi.Due;
import dev.jono.support.mongo.Indexes;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.MongoLink;
import dev.jono.support.mongo.QueueMemories;
import dev.jono.support.mongo.RepeatedReads;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The documents of one queue: the filters that select them, and the driver's calls on them. The classes of one SPI
 * method each share it. Calls block the calling thread. Each belongs to a session or, if the session is null, to none.
 * Thread-safe.
 */
final class QueueCollection {
    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);

    final MongoLink link;
    final String name;
    final Layouts.Layout layout;
    final MongoCollection<RawBsonDocument> documents;
    private final Indexes indexes;
    private final QueueMemories<QueueMemory> memories;

    QueueCollection(
            MongoLink link, Indexes indexes, QueueMemories<QueueMemory> memories, String name, Layouts.Layout layout) {
        this.link = link;
        this.indexes = indexes;
        this.memories = memories;
        this.name = name;
        this.layout = layout;
        this.documents = link.collection(layout.collection());
    }

    /** Whether the server has transactions. */
    boolean transactional() {
        return link.replicated();
    }

    /** What this process remembers of the queue. All objects of the queue share it. */
    QueueMemory memory() {
        return memories.of(layout.collection(), name);
    }

    /**
     * Where searches of this process start; a push through one object may insert before the start of another's search.
     */
    ScanStart scanStart() {
        return memory().scanStart;
    }

    /** Creates missing indexes unless the collection is empty, then runs some calls of the driver. */
    <R> R call(String step, boolean mutating, Supplier<R> calls) {
        ensureIndexes(step, false);
        return link.call(step, name, mutating, calls);
    }

    /** Creates missing indexes, and so the collection, then runs some calls of the driver that store documents. */
    <R> R store(String step, Supplier<R> calls) {
        ensureIndexes(step, true);
        return link.call(step, name, true, calls);
    }

    void ensureIndexes(String step, boolean storing) {
        link.call(step, name, false, () -> {
            indexes.ensure(documents, layout.indexes(), storing);
            return documents;
        });
    }

    /** The collection was deleted: its indexes must be created again before the next insert. */
    void forgetIndexes() {
        indexes.forget(documents);
    }

    /**
     * Runs calls of the driver that follow a completed change. If they fail, the outcome of the whole step is unknown.
     */
    <R> R afterChange(String step, Supplier<R> calls) {
        try {
            return calls.get();
        } catch (MongoException failure) {
            throw MongoErrors.outcomeUnknown(step, name, failure);
        }
    }

    /**
     * The due time as a date. A message without a delay is due at once: its time is the earliest that the server's
     * clock can show now. A delay counts from the latest, so that the message never comes early.
     */
    long dueMillis(Due due) {
        if (due.absolute()) {
            return due.millis();
        }
        return due.millis() == 0 ? link.time().nowMillis() : link.time().latestMillis() + due.millis();
    }

    /** Selects all messages that are not consumed. */
    BsonDocument live() {
        return layout.live();
    }

    /** Selects live messages with these ids. */
    BsonDocument live(List<BsonValue> ids) {
        BsonDocument filter = live();
        filter.put(Fields.ID, Fields.in(ids));
        return filter;
    }

    /** Selects live messages whose due time is a date; other documents have no position in the order. */
    BsonDocument liveWithDueTime() {
        BsonDocument filter = live();
        filter.put(Fields.MATURE, Fields.doc("$type", new BsonString("date")));
        return filter;
    }

    /** Selects messages that are due by the server's clock, and not before a given due time. */
    BsonDocument dueFrom(long fromMillis) {
        BsonDocument filter = Fields.due(live());
        if (fromMillis != ScanStart.BEGINNING) {
            filter.getDocument(Fields.MATURE).put("$gte", Fields.date(fromMillis));
        }
        return filter;
    }

    /** As {@link #dueFrom}, with a time instead of the server's clock. */
    BsonDocument dueBy(long millis, long fromMillis) {
        BsonDocument filter = live();
        BsonDocument range = Fields.doc("$lte", Fields.date(millis));
        if (fromMillis != ScanStart.BEGINNING) {
            range.put("$gte", Fields.date(fromMillis));
        }
        filter.put(Fields.MATURE, range);
        return filter;
    }

    FindIterable<RawBsonDocument> find(@Nullable ClientSession session, BsonDocument filter) {
        return session == null ? documents.find(filter) : documents.find(session, filter);
    }

    /** The ids of the documents that a search finds. */
    static List<BsonValue> ids(FindIterable<RawBsonDocument> search) {
        List<BsonValue> ids = new ArrayList<>();
        for (RawBsonDocument document : RepeatedReads.all(search.projection(Fields.doc(Fields.ID, Fields.ONE)))) {
            ids.add(document.get(Fields.ID));
        }
        return ids;
    }

    /** Changes all documents that match; returns how many matched. */
    long update(@Nullable ClientSession session, BsonDocument filter, List<? extends Bson> pipeline) {
        return (session == null
                        ? documents.updateMany(filter, pipeline)
                        : documents.updateMany(session, filter, pipeline))
                .getMatchedCount();
    }

    /** Sends several changes in one command; returns how many documents they changed or deleted. */
    long write(@Nullable ClientSession session, List<? extends WriteModel<RawBsonDocument>> models) {
        if (models.isEmpty()) {
            return 0;
        }
        try {
            return changed(
                    session == null
                            ? documents.bulkWrite(models, UNORDERED)
                            : documents.bulkWrite(session, models, UNORDERED));
        } catch (MongoBulkWriteException failure) {
            // The server has refused some changes. If it made others, the call as a whole is not undone.
            boolean certain = MongoErrors.mayHaveTakenEffect(failure) || changed(failure.getWriteResult()) == 0;
            throw certain ? failure : MongoErrors.outcomeUnknown("a change", name, failure);
        }
    }

    /** Waits until a majority has all that was read before: a write without effect waits for all writes before it. */
    long awaitMajority() {
        return documents.deleteOne(Fields.doc(Fields.ID, Fields.in(List.of()))).getDeletedCount();
    }

    private static long changed(BulkWriteResult result) {
        return (long) result.getMatchedCount() + result.getDeletedCount();
    }

    /** Consumes one document that matches: deletes it, or turns it into history. Returns whether one matched. */
    boolean consumeOne(@Nullable ClientSession session, BsonDocument filter, boolean removed) {
        if (layout.historyMillis() == 0) {
            return (session == null ? documents.deleteOne(filter) : documents.deleteOne(session, filter))
                            .getDeletedCount()
                    == 1;
        }
        List<BsonDocument> consumed = History.markConsumed(layout.historyMillis(), removed);
        return (session == null
                                ? documents.updateOne(filter, consumed)
                                : documents.updateOne(session, filter, consumed))
                        .getMatchedCount()
                == 1;
    }

    /** Consumes all documents that match: deletes them, or turns them into history. Returns how many matched. */
    long consume(@Nullable ClientSession session, BsonDocument filter, boolean removed) {
        if (layout.historyMillis() == 0) {
            return (session == null ? documents.deleteMany(filter) : documents.deleteMany(session, filter))
                    .getDeletedCount();
        }
        return update(session, filter, History.markConsumed(layout.historyMillis(), removed));
    }
}
