package dev.jono.backend.mongo;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.WriteModel;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.MongoLink;
import dev.jono.support.mongo.Transactions;
import java.util.List;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** A queue's documents, and the driver's calls on them, in a transaction or (session null) without one. */
final class QueueCollection {
    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);

    final MongoBackend backend;
    final MongoLink link;
    final String name;
    final Layouts.Layout layout;
    final MongoCollection<RawBsonDocument> documents;

    QueueCollection(MongoBackend backend, String queue, Layouts.Layout layout) {
        this.backend = backend;
        this.link = backend.link();
        this.name = queue;
        this.layout = layout;
        this.documents = link.collection(layout.collection());
    }

    boolean transactional() {
        return link.replicated();
    }

    /** Shared by all objects of this queue: a push through one may lower where another searches. */
    ScanStart scanStart() {
        return memory().scanStart;
    }

    QueueMemory memory() {
        return backend.memory().of(layout.collection(), name);
    }

    Transactions transactions() {
        return backend.transactions();
    }

    /** Makes sure of the indexes where there is something, then runs some of the driver's calls. */
    <R> R call(String step, boolean mutating, Supplier<R> calls) {
        ensureIndexes(step, false);
        return link.call(step, name, mutating, calls);
    }

    /** Makes sure of the indexes, and so of the collection, then runs some of the driver's calls, which store something. */
    <R> R store(String step, Supplier<R> calls) {
        ensureIndexes(step, true);
        return link.call(step, name, true, calls);
    }

    void ensureIndexes(String step, boolean storing) {
        link.call(step, name, false, () -> {
            backend.indexes().ensure(documents, layout.indexes(), storing);
            return documents;
        });
    }

    /** Some of the driver's calls behind one that has changed something: if they fail, what became of the whole is unknown. */
    <R> R afterChange(String step, Supplier<R> calls) {
        try {
            return calls.get();
        } catch (MongoException failure) {
            throw MongoErrors.begun(step, name, failure);
        }
    }

    BsonDocument live() {
        return layout.live();
    }

    /** What has a date, and so a place in the order. */
    BsonDocument liveWithDueTime() {
        BsonDocument filter = live();
        filter.put(Fields.MATURE, Fields.doc("$type", new BsonString("date")));
        return filter;
    }

    /** What is due; of that, what is not below where a search may begin. */
    BsonDocument dueFrom(long from) {
        BsonDocument filter = Fields.due(live());
        if (from != ScanStart.BEGINNING) {
            filter.getDocument(Fields.MATURE).put("$gte", Fields.date(from));
        }
        return filter;
    }

    /** As {@link #dueFrom}, by a time of ours. */
    BsonDocument dueBy(long millis, long from) {
        BsonDocument filter = live();
        BsonDocument range = Fields.doc("$lte", Fields.date(millis));
        if (from != ScanStart.BEGINNING) {
            range.put("$gte", Fields.date(from));
        }
        filter.put(Fields.MATURE, range);
        return filter;
    }

    /** Live messages of these ids. */
    BsonDocument live(List<BsonValue> ids) {
        BsonDocument filter = live();
        filter.put(Fields.ID, Fields.in(ids));
        return filter;
    }

    FindIterable<RawBsonDocument> find(@Nullable ClientSession session, BsonDocument filter) {
        return session == null ? documents.find(filter) : documents.find(session, filter);
    }

    /** Changes all that match; says how many that were. */
    long update(@Nullable ClientSession session, BsonDocument filter, List<? extends Bson> pipeline) {
        return (session == null
                        ? documents.updateMany(filter, pipeline)
                        : documents.updateMany(session, filter, pipeline))
                .getMatchedCount();
    }

    /** Several changes in one command; says how many documents they found, deletions included. */
    long write(@Nullable ClientSession session, List<? extends WriteModel<RawBsonDocument>> models) {
        if (models.isEmpty()) {
            return 0;
        }
        try {
            return changed(
                    session == null
                            ? documents.bulkWrite(models, UNORDERED)
                            : documents.bulkWrite(session, models, UNORDERED));
        } catch (MongoBulkWriteException partly) {
            // The server has refused some of them; if it has done others, the whole is not undone.
            boolean told = MongoErrors.unknown(partly) || changed(partly.getWriteResult()) == 0;
            throw told ? partly : MongoErrors.begun("a change", name, partly);
        }
    }

    /** Waits until a majority has what a look has seen: a write that changes nothing waits for all before it. */
    long awaitMajority() {
        return documents.deleteOne(Fields.doc(Fields.ID, Fields.in(List.of()))).getDeletedCount();
    }

    private static long changed(BulkWriteResult result) {
        return (long) result.getMatchedCount() + result.getDeletedCount();
    }

    /** Consumes one that matches; says whether there was one. */
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

    /** Consumes all that match: deletes them, or makes them history; says how many that were. */
    long consume(@Nullable ClientSession session, BsonDocument filter, boolean removed) {
        if (layout.historyMillis() == 0) {
            return (session == null ? documents.deleteMany(filter) : documents.deleteMany(session, filter))
                    .getDeletedCount();
        }
        return update(session, filter, History.markConsumed(layout.historyMillis(), removed));
    }
}
