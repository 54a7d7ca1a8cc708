package dev.jono.backend.mongo;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.WriteModel;
import dev.jono.support.mongo.Indexes;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.MongoLink;
import dev.jono.support.mongo.QueueDocuments;
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
 * The documents of one queue: the filters that select them, and the driver's calls on them. A call belongs to a session
 * or, if the session is null, to none. Thread-safe.
 */
final class QueueCollection extends QueueDocuments {
    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);

    /** Distinguishes the memory of a keyed queue. No name of a collection contains it. */
    private static final String KEYED = "$keyed";

    final Layouts.Layout layout;
    /** See {@link Layouts.Layout#dueField}. */
    final String dueField;

    private final Indexes indexes;
    private final QueueMemories<QueueMemory> memories;

    QueueCollection(
            MongoLink link, Indexes indexes, QueueMemories<QueueMemory> memories, String name, Layouts.Layout layout) {
        super(link, name, link.collection(layout.collection()), indexes, layout.indexes());
        this.indexes = indexes;
        this.memories = memories;
        this.layout = layout;
        this.dueField = layout.dueField();
    }

    /** What this process remembers of the queue. All objects of the queue with the same layout share it. */
    QueueMemory memory() {
        return memories.of(layout.maxPerKey() == 0 ? layout.collection() : layout.collection() + KEYED, queueName);
    }

    /** What this process knows of the keys of the queue. */
    KeySetting keySetting() {
        return memories.of(layout.collection(), queueName).keySetting;
    }

    /** The same queue with the layout of a keyed one. */
    QueueCollection keyed(int maxPerKey) {
        return new QueueCollection(link, indexes, memories, queueName, new KeyedLayout(layout, maxPerKey));
    }

    /**
     * Where searches of this process start; a push through one object may insert before the start of another's search.
     */
    ScanStart scanStart() {
        return memory().scanStart;
    }

    /** Creates missing indexes of another collection, which stores what belongs to the queue. */
    void ensureIndexesOf(String step, MongoCollection<RawBsonDocument> other, List<IndexModel> models) {
        link.call(step, queueName, false, () -> {
            indexes.ensure(other, models, true);
            return other;
        });
    }

    /** Creates the indexes of this queue on a collection that gets the name of the queue later. */
    void createIndexesOf(MongoCollection<RawBsonDocument> prepared) {
        indexes.ensure(prepared, layout.indexes(), true);
        indexes.forget(prepared);
    }

    /** Selects all messages that are not consumed. */
    BsonDocument live() {
        return layout.live();
    }

    /**
     * Selects live messages with these ids. If the queue has become keyed and this process does not know that yet, it finds
     * none of them.
     */
    BsonDocument live(List<BsonValue> ids) {
        BsonDocument filter = live();
        filter.put(Fields.ID, Fields.in(ids));
        if (layout.maxPerKey() == 0) {
            filter.put(Fields.KEYED, Fields.exists(false));
        }
        return filter;
    }

    /** Selects live messages whose due time is a date; other documents have no position in the order. */
    BsonDocument liveWithDueTime() {
        BsonDocument filter = live();
        filter.put(dueField, Fields.doc("$type", new BsonString("date")));
        return filter;
    }

    /** Restricts a filter to messages that are due by the server's clock. */
    BsonDocument due(BsonDocument filter) {
        return Fields.due(filter, dueField);
    }

    /** Selects messages that are due by the server's clock, and not before a given due time. */
    BsonDocument dueFrom(long fromMillis) {
        BsonDocument filter = due(live());
        if (fromMillis != ScanStart.BEGINNING) {
            filter.getDocument(dueField).put("$gte", Fields.date(fromMillis));
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
        filter.put(dueField, range);
        return filter;
    }

    /** As {@link #store}, but a keyed queue is not created by it: {@link KeyedCreation} does that. */
    <R> R storing(String step, Supplier<R> calls) {
        return layout.maxPerKey() == 0 ? store(step, calls) : call(step, true, calls);
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
            throw certain ? failure : MongoErrors.outcomeUnknown("a change", queueName, failure);
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
        List<BsonDocument> consumed = History.markConsumed(layout, removed);
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
        return update(session, filter, History.markConsumed(layout, removed));
    }
}
