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
 * Creates the indexes of collections: before this connection first uses a collection, and every minute while it is in
 * use, because others may drop the collection or its indexes. Many processes may create the same indexes at once. A
 * collection is never created by a read or a take, so that a deleted queue stays deleted until a message is stored.
 * Blocks the calling thread; thread-safe.
 */
public final class Indexes {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono");
    /** IndexOptionsConflict, IndexKeySpecsConflict. */
    private static final Set<Integer> OTHER_OPTIONS = Set.of(85, 86);
    /** Another process was building an index: ConflictingOperationInProgress, IndexBuildAborted and others. */
    private static final Set<Integer> BUSY = Set.of(117, 276, 46, 48, 112, 11600, 11602, 10107, 189);

    private static final int UNAUTHORIZED = 13;
    private static final int ATTEMPTS = 5;

    /** The default would wait for all voting servers, and so for one that is down. */
    private static final CreateIndexOptions MAJORITY_QUORUM =
            new CreateIndexOptions().commitQuorum(CreateIndexCommitQuorum.MAJORITY);

    private static final long AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long EMPTY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final BsonDocument ID_ALONE = new BsonDocument("_id", new BsonInt32(1));
    /** Separates the name of a collection from the number of indexes; no name contains it. */
    private static final char NAME_END = ' ';

    private final LongSupplier nanos;
    private final boolean replicated;
    /** The time at which the indexes of each collection were last created. */
    private final Map<String, Long> checkedNanos = new ConcurrentHashMap<>();
    /** The time at which each collection was last found empty. */
    private final Map<String, Long> emptyNanos = new ConcurrentHashMap<>();
    /** Refusals that were logged; each would occur again every minute. */
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /**
     * No index is known yet.
     *
     * @param nanos a monotonic clock
     * @param replicated whether the server is one of a replica set
     */
    public Indexes(LongSupplier nanos, boolean replicated) {
        this.nanos = nanos;
        this.replicated = replicated;
    }

    /**
     * Makes sure that the indexes exist. It asks the server at the first call for a collection, and then once a minute.
     *
     * @param storing whether the caller is about to store a document; otherwise an empty or missing collection stays as
     *     it is
     */
    public void ensure(MongoCollection<RawBsonDocument> collection, List<IndexModel> indexes, boolean storing) {
        // The number of indexes is part of the key: a process that moves messages into a queue does not know all of
        // them.
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
                // They existed a minute ago, so the call itself may well succeed.
                LOG.debug("collection {}: could not check its indexes", collection.getNamespace(), failure);
            }
        }
    }

    /** Remembers an empty collection for a second, because waiters ask often. */
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

    /** The collection was deleted: the next one with its name needs indexes again. */
    public void forget(MongoCollection<RawBsonDocument> collection) {
        String beginning = collection.getNamespace().getCollectionName() + NAME_END;
        checkedNanos.keySet().removeIf(name -> name.startsWith(beginning));
        emptyNanos.keySet().removeIf(name -> name.startsWith(beginning));
    }

    private void createAll(MongoCollection<RawBsonDocument> collection, List<IndexModel> indexes) {
        try {
            create(collection, indexes);
        } catch (MongoCommandException refused) {
            // One by one, so that an existing index with other options does not prevent the others.
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
                                "collection {}: an index is not created or changed: {}",
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
