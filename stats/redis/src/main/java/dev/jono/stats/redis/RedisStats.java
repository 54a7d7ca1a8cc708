package dev.jono.stats.redis;

import dev.jono.OutcomeUnknownException;
import dev.jono.spi.Counter;
import dev.jono.spi.OutageLog;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsStore;
import dev.jono.support.redis.KeyScan;
import dev.jono.support.redis.Piggyback;
import dev.jono.support.redis.RedisErrors;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import io.lettuce.core.KeyValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counters and the paused flag, in a hash per queue. The commands of one call share one round trip. Called by any thread; results
 * arrive on the connection's thread. Thread-safe.
 */
final class RedisStats implements StatsStore, Piggyback {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.stats");

    private final RedisLink link;
    private final String namespace;
    private final OutageLog outages;
    /** Queues whose name and options this process has written. */
    private final Set<String> identified = ConcurrentHashMap.newKeySet();

    /** Null if hashes never expire. */
    private final @Nullable ExpiringWriter expiry;

    RedisStats(RedisLink link, PluginConfig config, @Nullable Duration expire) {
        this.link = link;
        this.namespace = config.namespace();
        this.outages = new OutageLog(config.clock());
        this.expiry = expire == null ? null : new ExpiringWriter(link, namespace, expire.toMillis());
    }

    private byte[] key(String queue) {
        return link.keys().stats(namespace, queue);
    }

    /**
     * Adds counts. Counts may be missing after an outage, but none is added twice: if an answer is lost, or any increment was
     * made, the call is not repeated. It fails, so that the caller repeats it, only if certainly nothing was added.
     */
    @Override
    public CompletionStage<Void> add(Map<String, Map<Counter, Long>> deltas) {
        List<CompletableFuture<Void>> added = new ArrayList<>();
        deltas.forEach((queue, counts) -> {
            if (!counts.isEmpty() && expiry != null) {
                added.add(expiry.add(queue, key(queue), counts));
            } else if (!counts.isEmpty()) {
                writeIdentity(queue);
                counts.forEach((counter, count) -> added.add(add(queue, counter, count)));
            }
        });
        return all(added).exceptionallyCompose(failure -> reportLost(added, failure));
    }

    private CompletableFuture<Void> add(String queue, Counter counter, long count) {
        byte[] key = key(queue);
        return link.call("stats", queue, true, commands -> commands.hincrby(key, Fields.of(counter), count))
                .thenAccept(sum -> {});
    }

    private CompletableFuture<Void> reportLost(List<CompletableFuture<Void>> added, Throwable failure) {
        if (added.stream().allMatch(RedisStats::isCertainlyNotAdded)) {
            return CompletableFuture.failedFuture(failure);
        }
        outages.warn(
                LOG.getName(),
                failure,
                "{} of {} counts may not have been added; they are not added again",
                added.stream()
                        .filter(CompletableFuture::isCompletedExceptionally)
                        .count(),
                added.size());
        return CompletableFuture.completedFuture(null);
    }

    private static boolean isCertainlyNotAdded(CompletableFuture<Void> added) {
        Throwable failure = added.handle((done, thrown) -> thrown).join();
        return failure != null && !(RedisErrors.unwrap(failure) instanceof OutcomeUnknownException);
    }

    /** Writes what keuss needs to list a queue, once per queue and process. Existing options stay. */
    private void writeIdentity(String queue) {
        if (!identified.add(queue)) {
            return;
        }
        byte[] key = key(queue);
        Map<byte[], byte[]> identity = Map.of(
                Fields.NAME, RedisKeys.bytes(link.keys().stored(queue)),
                Fields.NAMESPACE, RedisKeys.bytes(namespace));
        CompletableFuture<Long> named = link.call("stats", queue, false, commands -> commands.hset(key, identity));
        CompletableFuture<Boolean> withOptions =
                link.call("stats", queue, false, commands -> commands.hsetnx(key, Fields.OPTIONS, Fields.NO_OPTIONS));
        all(List.of(named, withOptions)).exceptionally(failure -> {
            LOG.debug("the name of queue '{}' could not be written to its stats", queue, failure);
            identified.remove(queue);
            return null;
        });
    }

    @Override
    public CompletionStage<Map<Counter, Long>> read(String queue) {
        Counter[] counters = Counter.values();
        byte[][] fields = Arrays.stream(counters).map(Fields::of).toArray(byte[][]::new);
        byte[] key = key(queue);
        return link.call("stats", queue, false, commands -> commands.hmget(key, fields))
                .thenApply(values -> counts(queue, counters, values));
    }

    private static Map<Counter, Long> counts(String queue, Counter[] counters, List<KeyValue<byte[], byte[]>> values) {
        Map<Counter, Long> counts = new EnumMap<>(Counter.class);
        for (int i = 0; i < counters.length; i++) {
            if (values.get(i).hasValue()) {
                String text = new String(values.get(i).getValue(), StandardCharsets.UTF_8);
                try {
                    counts.put(counters[i], Long.parseLong(text));
                } catch (NumberFormatException foreign) {
                    LOG.debug("counter {} of queue '{}' is not a number", counters[i], queue);
                }
            }
        }
        return counts;
    }

    @Override
    public CompletionStage<Void> clear(String queue) {
        byte[] key = key(queue);
        return link.call("clear stats", queue, false, commands -> commands.hkeys(key))
                .thenCompose(fields -> {
                    byte[][] removed = fields.stream()
                            .filter(f -> Fields.isCounter(f) || Arrays.equals(f, Fields.OPTIONS))
                            .toArray(byte[][]::new);
                    identified.remove(queue);
                    return removed.length == 0
                            ? CompletableFuture.completedFuture(0L)
                            : link.call("clear stats", queue, true, commands -> commands.hdel(key, removed));
                })
                .thenAccept(count -> {});
    }

    @Override
    public CompletionStage<Boolean> delete(String queue) {
        byte[] key = key(queue);
        identified.remove(queue);
        return link.call("delete stats", queue, false, commands -> commands.hget(key, Fields.PAUSED))
                .thenCompose(flag -> link.call("delete stats", queue, true, commands -> commands.del(key))
                        .thenApply(count -> Arrays.equals(flag, Fields.TRUE)));
    }

    @Override
    public CompletionStage<Set<String>> paused(Collection<String> queues) {
        Set<String> paused = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<Void>> reads = new ArrayList<>();
        for (String queue : Set.copyOf(queues)) {
            byte[] key = key(queue);
            reads.add(link.call("read the paused flag", queue, false, commands -> commands.hget(key, Fields.PAUSED))
                    .thenAccept(flag -> {
                        if (Arrays.equals(flag, Fields.TRUE)) {
                            paused.add(queue);
                        }
                    }));
        }
        return all(reads).thenApply(done -> paused);
    }

    @Override
    public CompletionStage<Void> setPaused(String queue, boolean paused) {
        byte[] key = key(queue);
        byte[] flag = paused ? Fields.TRUE : Fields.FALSE;
        if (expiry != null) {
            return expiry.setPaused(queue, key, flag);
        }
        writeIdentity(queue);
        // Setting the flag twice does no harm, so the caller may repeat a call whose answer is lost.
        return link.call("set the paused flag", queue, true, commands -> commands.hset(key, Fields.PAUSED, flag))
                .thenAccept(fresh -> {});
    }

    @Override
    public CompletionStage<Set<String>> queues() {
        return KeyScan.names(link, "keuss:stats:" + namespace + ':');
    }

    private static CompletableFuture<Void> all(List<? extends CompletableFuture<?>> stages) {
        return CompletableFuture.allOf(stages.toArray(CompletableFuture[]::new));
    }

    @Override
    public boolean worksOn(RedisLink other, String otherNamespace) {
        return link.shares(other) && namespace.equals(otherNamespace);
    }

    @Override
    public void close() {
        link.close();
    }

    @Override
    public String toString() {
        return "redis stats of namespace '" + namespace + "' on " + link;
    }
}
