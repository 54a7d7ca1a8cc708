package dev.jono.stats.mongo;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import dev.jono.OutcomeUnknownException;
import dev.jono.spi.Counter;
import dev.jono.spi.OutageLog;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsStore;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.MongoLink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counters and the paused flag, in one document per queue. Each call sends one command, whatever the number of queues,
 * on a thread of the executor. Thread-safe.
 */
final class MongoStats implements StatsStore {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.stats");
    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);
    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);
    private static final String COUNTERS = "counters";
    private static final String OPTIONS = "opts";
    private static final String PAUSED = "paused";

    private final MongoLink link;
    private final Executor executor;
    private final String namespace;
    private final String prefix;
    private final OutageLog outages;
    private final MongoCollection<BsonDocument> collection;

    /** Null if documents never expire. */
    private final @Nullable Expiry expiry;

    MongoStats(MongoLink link, PluginConfig config, @Nullable Duration expire) {
        this.link = link;
        this.expiry = expire == null ? null : new Expiry(link, expire.toMillis());
        this.executor = config.executor();
        this.namespace = config.namespace();
        this.outages = new OutageLog(config.clock());
        this.prefix = "keuss:stats:" + namespace + ':';
        this.collection = link.database(MongoLink.Suffix.STATS).getCollection(MongoLink.STATS, BsonDocument.class);
    }

    private static String keussName(Counter counter) {
        return switch (counter) {
            case PUSHED -> "put";
            case POPPED -> "get";
            case RESERVED -> "reserve";
            case ACKED -> "commit";
            case RETRIED -> "rollback";
            case RELEASED -> "release"; // unknown to keuss, which shows all counters
            case DEAD_LETTERED -> "deadletter";
        };
    }

    private BsonDocument id(String queue) {
        return new BsonDocument("_id", new BsonString(prefix + queue));
    }

    /**
     * A change of a queue's document, with the fields that keuss needs to list the queue. Options of keuss stay as they
     * are.
     */
    private UpdateOneModel<BsonDocument> upsert(String queue, BsonDocument change) {
        if (!change.containsKey("$set")) {
            change.put("$set", new BsonDocument());
        }
        change.getDocument("$set").append("name", new BsonString(queue)).append("ns", new BsonString(namespace));
        change.put("$setOnInsert", new BsonDocument(OPTIONS, new BsonDocument()));
        if (expiry != null) {
            expiry.postpone(change);
        }
        return new UpdateOneModel<>(id(queue), change, UPSERT);
    }

    /**
     * Adds counts. If the outcome is unknown, they are not added again: after an outage counts may be missing, but none
     * is counted twice. Fails, so that the caller repeats it, if certainly nothing was added.
     */
    @Override
    public CompletionStage<Void> add(Map<String, Map<Counter, Long>> deltas) {
        Map<String, BsonDocument> increments = new HashMap<>();
        deltas.forEach((queue, counts) -> {
            if (!counts.isEmpty()) {
                BsonDocument each = new BsonDocument();
                counts.forEach((counter, count) -> each.put(COUNTERS + '.' + keussName(counter), new BsonInt64(count)));
                increments.put(queue, each);
            }
        });
        if (increments.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return link.callAsync(executor, "stats", null, true, () -> {
                    List<WriteModel<BsonDocument>> models = new ArrayList<>();
                    increments.forEach((queue, each) -> models.add(upsert(queue, new BsonDocument("$inc", each))));
                    write(models);
                    return models;
                })
                .handle((done, failure) -> {
                    if (failure instanceof OutcomeUnknownException unknown) {
                        outages.warn(
                                LOG.getName(),
                                unknown,
                                "counts of {} queues may be lost: the answer was lost, and they are not added again",
                                increments.size());
                    } else if (failure instanceof RuntimeException certain) {
                        throw certain;
                    }
                    return null;
                });
    }

    /** If two processes create the same document at once, one of them fails and repeats its change. */
    private void write(List<WriteModel<BsonDocument>> models) {
        List<WriteModel<BsonDocument>> remaining = models;
        for (int attempt = 1; !remaining.isEmpty(); attempt++) {
            try {
                collection.bulkWrite(remaining, UNORDERED);
                return;
            } catch (MongoBulkWriteException failure) {
                boolean raced = failure.getWriteConcernError() == null
                        && failure.getWriteErrors().stream().allMatch(e -> e.getCode() == MongoErrors.DUPLICATE_KEY);
                if (!raced || attempt == 5) {
                    boolean none = attempt == 1 && failure.getWriteErrors().size() == remaining.size();
                    if (none || failure.getWriteConcernError() != null) {
                        throw failure;
                    }
                    // The counts of the other queues are added, so the whole call must not be repeated.
                    LOG.warn(
                            "counts of {} queues could not be added and are lost: {}",
                            failure.getWriteErrors().size(),
                            failure.getWriteErrors().get(0).getMessage());
                    return;
                }
                List<WriteModel<BsonDocument>> all = remaining;
                remaining = failure.getWriteErrors().stream()
                        .<WriteModel<BsonDocument>>map(e -> all.get(e.getIndex()))
                        .toList();
            }
        }
    }

    @Override
    public CompletionStage<Map<Counter, Long>> read(String queue) {
        return link.callAsync(executor, "read stats", queue, false, () -> {
            Map<Counter, Long> counts = new EnumMap<>(Counter.class);
            BsonDocument found = collection.find(id(queue)).first();
            BsonValue stored = found == null ? null : found.get(COUNTERS);
            if (stored != null && stored.isDocument()) {
                for (Counter counter : Counter.values()) {
                    BsonValue value = stored.asDocument().get(keussName(counter));
                    if (value != null && value.isNumber()) {
                        counts.put(counter, value.asNumber().longValue());
                    }
                }
            }
            return counts;
        });
    }

    @Override
    public CompletionStage<Void> clear(String queue) {
        BsonDocument unset = new BsonDocument(COUNTERS, BsonBoolean.TRUE).append(OPTIONS, BsonBoolean.TRUE);
        return link.callAsync(
                        executor,
                        "clear stats",
                        queue,
                        true,
                        () -> collection
                                .updateOne(id(queue), new BsonDocument("$unset", unset))
                                .getMatchedCount())
                .thenAccept(matched -> {});
    }

    @Override
    public CompletionStage<Boolean> delete(String queue) {
        return link.callAsync(executor, "delete stats", queue, true, () -> {
            BsonDocument deleted = collection.findOneAndDelete(id(queue));
            return deleted != null
                    && deleted.getBoolean(PAUSED, BsonBoolean.FALSE).getValue();
        });
    }

    @Override
    public CompletionStage<Set<String>> paused(Collection<String> queues) {
        BsonArray ids = new BsonArray();
        queues.forEach(queue -> ids.add(new BsonString(prefix + queue)));
        BsonDocument filter = new BsonDocument("_id", new BsonDocument("$in", ids)).append(PAUSED, BsonBoolean.TRUE);
        return link.callAsync(executor, "read the paused flag", null, false, () -> names(filter));
    }

    private Set<String> names(BsonDocument filter) {
        Set<String> names = new HashSet<>();
        collection
                .find(filter)
                .projection(new BsonDocument("_id", new BsonInt32(1)))
                .forEach(found -> names.add(found.getString("_id").getValue().substring(prefix.length())));
        return names;
    }

    @Override
    public CompletionStage<Void> setPaused(String queue, boolean paused) {
        BsonDocument set = new BsonDocument(PAUSED, BsonBoolean.valueOf(paused));
        return link.callAsync(executor, "set the paused flag", queue, true, () -> {
                    write(List.of(upsert(queue, new BsonDocument("$set", set))));
                    return queue;
                })
                .thenAccept(done -> {});
    }

    @Override
    public CompletionStage<Set<String>> queues() {
        BsonDocument filter = new BsonDocument("_id", new BsonRegularExpression('^' + Pattern.quote(prefix) + '.'));
        return link.callAsync(executor, "list queues", null, false, () -> names(filter));
    }

    @Override
    public void close() {
        link.close();
    }

    @Override
    public String toString() {
        return "mongo stats of namespace '" + namespace + "' on " + link;
    }
}
