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
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.MongoLink;
import dev.jono.support.mongo.Transactions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/** A queue's buckets, and the driver's calls on them, in a transaction or (session null) without one. */
final class BucketCollection {
    private static final CodecRegistry WHOLE_DOCUMENTS = CodecRegistries.fromCodecs(new WholeDocumentCodec());
    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);

    final BucketBackend backend;
    final MongoLink link;
    final String queue;
    final MongoCollection<RawBsonDocument> documents;

    BucketCollection(BucketBackend backend, String queue) {
        this.backend = backend;
        this.link = backend.link();
        this.queue = queue;
        MongoCollection<RawBsonDocument> found = link.collection(queue);
        this.documents =
                found.withCodecRegistry(CodecRegistries.fromRegistries(WHOLE_DOCUMENTS, found.getCodecRegistry()));
    }

    /** The id of a bucket. */
    static final class BucketId {
        private final BsonValue value;
        private final String text;

        BucketId(BsonValue value) {
            this.value = value;
            this.text = MessageIds.text(value);
        }

        BsonValue value() {
            return value;
        }

        /** The id of the message in a slot of it. */
        String messageId(int slot) {
            return text + ':' + slot;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof BucketId id && id.text.equals(text);
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }

        /** As it stands in the ids of its messages. */
        @Override
        public String toString() {
            return text;
        }
    }

    boolean transactional() {
        return link.replicated();
    }

    /** Whether this queue can only be popped, in the order in which the buckets came. */
    boolean plain() {
        return backend.profile() == Profile.PLAIN;
    }

    /** What this process remembers of the queue, through whichever of its objects. */
    QueueMemory memory() {
        return backend.memory().of(queue, queue);
    }

    Transactions transactions() {
        return backend.transactions();
    }

    /** The server's clock; not later than it is. */
    long nowMillis() {
        return link.time().nowMillis();
    }

    BucketChange change(Bucket bucket) {
        return new BucketChange(bucket, plain(), this::nowMillis);
    }

    /** Makes sure of the indexes where there is something, then runs some of the driver's calls. */
    <R extends @Nullable Object> R call(String step, boolean mutating, Supplier<R> calls) {
        ensureIndexes(step, false);
        return link.call(step, queue, mutating, calls);
    }

    /** Makes sure of the indexes, and so of the collection, then runs some of the driver's calls, which store something. */
    <R> R store(String step, Supplier<R> calls) {
        ensureIndexes(step, true);
        return link.call(step, queue, true, calls);
    }

    void ensureIndexes(String step, boolean storing) {
        if (backend.profile().indexes().isEmpty()) {
            return;
        }
        link.call(step, queue, false, () -> {
            backend.indexes().ensure(documents, backend.profile().indexes(), storing);
            return documents;
        });
    }

    /** Does something beside what this thread does. */
    <R> OffloadedTask<R> offload(Supplier<R> work) {
        return new OffloadedTask<>(backend.executor(), work);
    }

    /** Some of the driver's calls behind one that has changed something: if they fail, what became of the whole is unknown. */
    <R> R afterWrite(String step, Supplier<R> calls) {
        try {
            return calls.get();
        } catch (MongoException failure) {
            throw MongoErrors.begun(step, queue, failure);
        }
    }

    /** Buckets as they are now; those that are not there are not in it. */
    Map<BucketId, Bucket> read(@Nullable ClientSession session, Collection<BucketId> ids, boolean messages) {
        BsonDocument filter =
                Fields.doc(Fields.ID, Fields.in(ids.stream().map(BucketId::value).toList()));
        var search = session == null ? documents.find(filter) : documents.find(session, filter);
        if (!messages) {
            search.projection(BucketReader.withoutMessages());
        }
        Map<BucketId, Bucket> found = new HashMap<>();
        for (RawBsonDocument document : search) {
            Bucket bucket = BucketReader.read(document);
            found.put(bucket.id, bucket);
        }
        return found;
    }

    /**
     * What took place of some writes.
     *
     * @param all of them
     * @param deletions those of them that delete
     */
    record WriteCounts(long all, long deletions) {}

    /** Several changes in one command for each kind; says how many took place. */
    long write(@Nullable ClientSession session, List<? extends WriteModel<RawBsonDocument>> models) {
        return writeCounted(session, models).all();
    }

    /** Several changes in one command for each kind; says how many took place. */
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
                return part.getWriteResult(); // others were faster
            }
            throw count(part.getWriteResult()) == 0 ? part : partlyDone(part);
        }
    }

    /** A failure that does not tell what has become of the whole. */
    private static MongoException partlyDone(MongoException failure) {
        return new MongoException("a part of it is done, and then: " + failure.getMessage(), failure);
    }

    /** One change, in one command; says whether it took place. */
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
            throw new IllegalArgumentException("an update without a change");
        }
        return (session == null
                                ? documents.updateOne(update.getFilter(), pipeline)
                                : documents.updateOne(session, update.getFilter(), pipeline))
                        .getMatchedCount()
                == 1;
    }

    /** The writes of some drafts. */
    static List<WriteModel<RawBsonDocument>> models(Collection<BucketChange> changes) {
        List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
        changes.forEach(change -> models.add(change.model()));
        return models;
    }
}
