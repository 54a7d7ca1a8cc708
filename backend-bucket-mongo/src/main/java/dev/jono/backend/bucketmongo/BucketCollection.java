package dev.jono.backend.bucketmongo;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.MongoLink;
import dev.jono.support.mongo.QueueDocuments;
import dev.jono.support.mongo.RepeatedReads;
import dev.jono.support.mongo.Transactions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/**
 * The collection of one queue's buckets, and the driver's calls on it. A call runs in the transaction of its session, or
 * outside any transaction if the session is null. Called on threads that may block. Thread-safe.
 */
final class BucketCollection extends QueueDocuments {
    private static final CodecRegistry WHOLE_DOCUMENTS = CodecRegistries.fromCodecs(new WholeDocumentCodec());
    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);
    private static final ReplaceOptions UPSERT = new ReplaceOptions().upsert(true);
    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

    final BucketContext context;

    BucketCollection(BucketContext context, String queue) {
        super(
                context.link(),
                queue,
                buckets(context.link(), queue),
                context.indexes(),
                context.profile().indexes());
        this.context = context;
    }

    private static MongoCollection<RawBsonDocument> buckets(MongoLink link, String queue) {
        MongoCollection<RawBsonDocument> found = link.collection(queue);
        return found.withCodecRegistry(CodecRegistries.fromRegistries(WHOLE_DOCUMENTS, found.getCodecRegistry()));
    }

    /** The collection of another queue of the same backend. */
    BucketCollection ofQueue(String name) {
        return new BucketCollection(context, name);
    }

    /** Whether the queue supports pop only, in the order of the bucket ids. */
    boolean plain() {
        return context.profile() == Profile.PLAIN;
    }

    /** What this process remembers of the queue; the same for all objects of the queue. */
    QueueMemory memory() {
        return context.memories().of(queueName, queueName);
    }

    Transactions transactions() {
        return context.transactions();
    }

    /** A lower bound of the server's present time. */
    long nowMillis() {
        return link.time().nowMillis();
    }

    BucketChange change(Bucket bucket) {
        return new BucketChange(bucket, plain(), this::nowMillis);
    }

    /** Starts work that runs while this thread does something else. */
    <R> OffloadedTask<R> offload(Supplier<R> work) {
        return new OffloadedTask<>(context.executor(), work);
    }

    /** Reads buckets; the result leaves out those that do not exist. */
    Map<BucketId, Bucket> read(@Nullable ClientSession session, Collection<BucketId> ids, boolean messages) {
        BsonDocument filter = Fields.doc(
                Fields.ID, Fields.in(ids.stream().map(BucketId::value).toList()));
        var search = session == null ? documents.find(filter) : documents.find(session, filter);
        if (!messages) {
            search.projection(BucketReader.withoutMessages());
        }
        Map<BucketId, Bucket> found = new HashMap<>();
        for (RawBsonDocument document : RepeatedReads.all(search)) {
            Bucket bucket = BucketReader.read(document);
            found.put(bucket.id, bucket);
        }
        return found;
    }

    /**
     * How many writes of a list took effect.
     *
     * @param all of all kinds
     * @param deletions deletions only
     */
    record WriteCounts(long all, long deletions) {}

    /** Sends one command for each kind of write; returns how many writes took effect. */
    long write(@Nullable ClientSession session, List<? extends WriteModel<RawBsonDocument>> models) {
        return writeCounted(session, models).all();
    }

    /** Sends one command for each kind of write; returns how many writes took effect. */
    WriteCounts writeCounted(@Nullable ClientSession session, List<? extends WriteModel<RawBsonDocument>> models) {
        if (session == null && models.size() == 1 && !storesDocument(models.get(0))) {
            int done = writeOne(null, models.get(0)) ? 1 : 0;
            return new WriteCounts(done, models.get(0) instanceof DeleteOneModel ? done : 0);
        }
        Map<Class<?>, List<WriteModel<RawBsonDocument>>> commands = new LinkedHashMap<>();
        models.forEach(model -> commands.computeIfAbsent(command(model), kind -> new ArrayList<>())
                .add(model));
        long all = 0;
        long deletions = 0;
        for (List<WriteModel<RawBsonDocument>> command : commands.values()) {
            BulkWriteResult result;
            try {
                result = bulk(session, command);
            } catch (MongoException failure) {
                throw all == 0 || session != null ? failure : partlyDone(failure);
            }
            deletions += result.getDeletedCount();
            all += count(result);
        }
        return new WriteCounts(all, deletions);
    }

    private static boolean storesDocument(WriteModel<RawBsonDocument> model) {
        return model instanceof ReplaceOneModel || model instanceof InsertOneModel;
    }

    private static Class<?> command(WriteModel<RawBsonDocument> model) {
        return model instanceof ReplaceOneModel ? UpdateOneModel.class : model.getClass();
    }

    private static long count(BulkWriteResult result) {
        return (long) result.getMatchedCount()
                + result.getUpserts().size()
                + result.getInsertedCount()
                + result.getDeletedCount();
    }

    private BulkWriteResult bulk(@Nullable ClientSession session, List<WriteModel<RawBsonDocument>> models) {
        try {
            return session == null
                    ? documents.bulkWrite(models, UNORDERED)
                    : documents.bulkWrite(session, models, UNORDERED);
        } catch (MongoBulkWriteException part) {
            if (session != null || part.getWriteConcernError() != null) {
                throw part;
            }
            if (part.getWriteErrors().stream().allMatch(error -> error.getCode() == MongoErrors.DUPLICATE_KEY)) {
                return part.getWriteResult(); // another process stored the document first
            }
            throw count(part.getWriteResult()) == 0 ? part : partlyDone(part);
        }
    }

    /** A failure of which the server cannot say what was done. */
    private static MongoException partlyDone(MongoException failure) {
        return new MongoException("a part of the writes is done, and then: " + failure.getMessage(), failure);
    }

    /** Sends one write as one command; returns whether it took effect. */
    boolean writeOne(@Nullable ClientSession session, WriteModel<RawBsonDocument> model) {
        if (model instanceof DeleteOneModel<RawBsonDocument> delete) {
            return (session == null
                                    ? documents.deleteOne(delete.getFilter())
                                    : documents.deleteOne(session, delete.getFilter()))
                            .getDeletedCount()
                    == 1;
        }
        UpdateOneModel<RawBsonDocument> update = (UpdateOneModel<RawBsonDocument>) model;
        var modifiers = update.getUpdate();
        var pipeline = update.getUpdatePipeline();
        if (modifiers != null) {
            return (session == null
                                    ? documents.updateOne(update.getFilter(), modifiers)
                                    : documents.updateOne(session, update.getFilter(), modifiers))
                            .getMatchedCount()
                    == 1;
        }
        if (pipeline == null) {
            throw new IllegalArgumentException("the update model holds no update");
        }
        return (session == null
                                ? documents.updateOne(update.getFilter(), pipeline)
                                : documents.updateOne(session, update.getFilter(), pipeline))
                        .getMatchedCount()
                == 1;
    }

    /** The writes of these changes. */
    static List<WriteModel<RawBsonDocument>> models(Collection<BucketChange> changes) {
        List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
        changes.forEach(change -> models.add(change.model()));
        return models;
    }

    /** A write that stores a bucket under this id, in place of any existing one. */
    static WriteModel<RawBsonDocument> upsert(BucketId id, BsonDocument document) {
        return new ReplaceOneModel<>(Fields.doc(Fields.ID, id.value()), raw(document), UPSERT);
    }

    /** The document as bytes. */
    static RawBsonDocument raw(BsonDocument document) {
        return document instanceof RawBsonDocument same ? same : new RawBsonDocument(document, DOCUMENTS);
    }
}
