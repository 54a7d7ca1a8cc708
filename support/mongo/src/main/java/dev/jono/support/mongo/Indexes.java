package dev.jono.support.mongo;

import com.mongodb.CreateIndexCommitQuorum;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CreateIndexOptions;
import com.mongodb.client.model.IndexModel;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.RawBsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the indexes of a collection, before it is first used over this connection, and once more every minute while it is
 * in use, for somebody may have dropped it or them. Any number of processes may do so at once. One that is only looked at or
 * taken from is not created for that: a queue that was deleted stays so until something is stored in it. Thread-safe.
 */
public final class Indexes {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono");
    /** IndexOptionsConflict, IndexKeySpecsConflict. */
    private static final Set<Integer> OTHER_OPTIONS = Set.of(85, 86);
    /** An index build of another process was in the way: ConflictingOperationInProgress, IndexBuildAborted and alike. */
    private static final Set<Integer> BUSY = Set.of(117, 276, 46, 48, 112, 11600, 11602, 10107, 189);

    private static final int UNAUTHORIZED = 13;
    private static final int ATTEMPTS = 5;

    /** Of the servers that are there: to wait for every one that votes, as is the default, would wait for one that is down. */
    private static final CreateIndexOptions MAJORITY_QUORUM =
            new CreateIndexOptions().commitQuorum(CreateIndexCommitQuorum.MAJORITY);

    private static final long AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long EMPTY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final BsonDocument ID_ALONE = new BsonDocument("_id", new BsonInt32(1));
    /** No queue's name has one. */
    private static final char NAME_END = ' ';

    private final LongSupplier nanos;
    private final boolean replicated;
    /** When each collection was looked after last. */
    private final Map<String, Long> checkedNanos = new ConcurrentHashMap<>();
    /** When each collection was found empty last. */
    private final Map<String, Long> emptyNanos = new ConcurrentHashMap<>();
    /** What was warned of: it is found anew each minute. */
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /**
     * None are known yet.
     *
     * @param nanos a monotonic clock
     * @param replicated whether the server is one of a replica set
     */
    public Indexes(LongSupplier nanos, boolean replicated) {
        this.nanos = nanos;
        this.replicated = replicated;
    }

    /**
     * Makes sure that they are there. Blocks at the first call for this collection, and then once a minute.
     *
     * @param storing whether something is about to be stored in it; otherwise one that is empty, or not there, is left as it is
     */
    public void ensure(MongoCollection<RawBsonDocument> collection, List<IndexModel> indexes, boolean storing) {
        // By the indexes too: who moves messages into a queue does not know all of them.
        String name = collection.getNamespace().getCollectionName() + NAME_END + indexes.size();
        Long before = checkedNanos.get(name);
        if (before == null) {
            if (storing || !empty(name, collection)) {
                createAll(collection, indexes);
                checkedNanos.put(name, nanos.getAsLong());
            }
        } else if (nanos.getAsLong() - before > AGAIN_NANOS && checkedNanos.replace(name, before, nanos.getAsLong())) {
            try {
                if (storing || !empty(name, collection)) {
                    createAll(collection, indexes);
                }
            } catch (MongoException failure) {
                // They were there a minute ago: no reason to fail a call that may well pass.
                LOG.debug("collection {}: no look after its indexes", collection.getNamespace(), failure);
            }
        }
    }

    /** As it was found within the last second: who waits for messages asks often. */
    private boolean empty(String name, MongoCollection<RawBsonDocument> collection) {
        Long found = emptyNanos.get(name);
        if (found != null && nanos.getAsLong() - found < EMPTY_NANOS) {
            return true;
        }
        if (collection.find().projection(ID_ALONE).first() != null) {
            emptyNanos.remove(name);
            return false;
        }
        emptyNanos.put(name, nanos.getAsLong());
        return true;
    }

    /** The collection was deleted: what is stored next in its name wants indexes again. */
    public void forget(MongoCollection<RawBsonDocument> collection) {
        String beginning = collection.getNamespace().getCollectionName() + NAME_END;
        checkedNanos.keySet().removeIf(name -> name.startsWith(beginning));
        emptyNanos.keySet().removeIf(name -> name.startsWith(beginning));
    }

    private void createAll(MongoCollection<RawBsonDocument> collection, List<IndexModel> indexes) {
        try {
            create(collection, indexes);
        } catch (MongoCommandException refused) {
            // One by one: an index that is there with other options does not keep the others away.
            for (IndexModel index : indexes) {
                create(collection, index);
            }
        }
    }

    private void create(MongoCollection<RawBsonDocument> collection, List<IndexModel> indexes) {
        if (replicated) {
            collection.createIndexes(indexes, MAJORITY_QUORUM);
        } else {
            collection.createIndexes(indexes);
        }
    }

    private void create(MongoCollection<RawBsonDocument> collection, IndexModel index) {
        for (int attempt = 1; ; attempt++) {
            try {
                create(collection, List.of(index));
                return;
            } catch (MongoCommandException refused) {
                int code = refused.getErrorCode();
                if (OTHER_OPTIONS.contains(code) || code == UNAUTHORIZED) {
                    if (warned.add(collection.getNamespace() + " " + refused.getErrorMessage())) {
                        LOG.warn(
                                "collection {}: an index is left as it is: {}",
                                collection.getNamespace(),
                                refused.getErrorMessage());
                    }
                    return;
                }
                if (!BUSY.contains(code) || attempt == ATTEMPTS) {
                    throw refused;
                }
            }
        }
    }
}
