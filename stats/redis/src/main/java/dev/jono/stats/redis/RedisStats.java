package dev.jono.stats.redis;

import dev.jono.spi.Counter;
import dev.jono.spi.OutageLog;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsStore;
import dev.jono.support.redis.Piggyback;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.KeyValue;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counters and the paused flag in a hash per queue. All that one call asks or adds travels in one round trip. */
final class RedisStats implements StatsStore, Piggyback {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.stats");
    private static final int SCAN_COUNT = 1_000;

    private final RedisLink link;
    private final String namespace;
    private final OutageLog outages;
    /** Queues whose hash has got its name and options from here. */
    private final Set<String> identified = ConcurrentHashMap.newKeySet();

    /** Null where hashes stay for ever. */
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
     * Adds. An increment whose answer is lost is not repeated, nor are the others where one has been made: counts may
     * be missing after an outage, but none is doubled. Fails, so that the caller repeats it, if certainly nothing was
     * added.
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
                "{} of {} counts could not be added, or nobody knows; they are not added again",
                added.stream()
                        .filter(CompletableFuture::isCompletedExceptionally)
                        .count(),
                added.size());
        return CompletableFuture.completedFuture(null);
    }

    private static boolean isCertainlyNotAdded(CompletableFuture<Void> added) {
        Throwable failure = added.handle((done, thrown) -> thrown).join();
        return failure != null && !(unwrap(failure) instanceof dev.jono.OutcomeUnknownException);
    }

    private static Throwable unwrap(Throwable failure) {
        return dev.jono.support.redis.RedisErrors.unwrap(failure);
    }

    /** Writes, once per queue and process, what keuss needs to list it. Its options there are left alone. */
    private void writeIdentity(String queue) {
        if (!identified.add(queue)) {
            return;
        }
        byte[] key = key(queue);
        Map<byte[], byte[]> identity = Map.of(
                Fields.NAME, RedisKeys.bytes(link.keys().stored(queue)),
                Fields.NAMESPACE, RedisKeys.bytes(namespace));
        CompletableFuture<Long> named = link.call("stats", queue, false, commands -> commands.hset(key, identity));
        CompletableFuture<Boolean> optioned =
                link.call("stats", queue, false, commands -> commands.hsetnx(key, Fields.OPTIONS, Fields.NO_OPTIONS));
        all(List.of(named, optioned)).exceptionally(failure -> {
            LOG.debug("queue '{}' could not be named in its stats", queue, failure);
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
                    LOG.debug("counter {} of queue '{}' holds no number", counters[i], queue);
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
                    byte[][] gone = fields.stream()
                            .filter(f -> Fields.isCounter(f) || Arrays.equals(f, Fields.OPTIONS))
                            .toArray(byte[][]::new);
                    identified.remove(queue);
                    return gone.length == 0
                            ? CompletableFuture.completedFuture(0L)
                            : link.call("clear stats", queue, true, commands -> commands.hdel(key, gone));
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
        List<CompletableFuture<Void>> asked = new ArrayList<>();
        for (String queue : Set.copyOf(queues)) {
            byte[] key = key(queue);
            asked.add(link.call("read the paused flag", queue, false, commands -> commands.hget(key, Fields.PAUSED))
                    .thenAccept(flag -> {
                        if (Arrays.equals(flag, Fields.TRUE)) {
                            paused.add(queue);
                        }
                    }));
        }
        return all(asked).thenApply(done -> paused);
    }

    @Override
    public CompletionStage<Void> setPaused(String queue, boolean paused) {
        byte[] key = key(queue);
        byte[] flag = paused ? Fields.TRUE : Fields.FALSE;
        if (expiry != null) {
            return expiry.setPaused(queue, key, flag);
        }
        writeIdentity(queue);
        // Setting it twice is as good as once: a lost answer is a failure that may be repeated.
        return link.call("set the paused flag", queue, true, commands -> commands.hset(key, Fields.PAUSED, flag))
                .thenAccept(fresh -> {});
    }

    @Override
    public CompletionStage<Set<String>> queues() {
        String prefix = link.keys().prefix() + "keuss:stats:" + namespace + ':';
        ScanArgs args = ScanArgs.Builder.matches(RedisKeys.bytes(escaped(prefix) + "?*"))
                .limit(SCAN_COUNT);
        return scan(args, ScanCursor.INITIAL, new HashSet<>()).thenApply(keys -> {
            Set<String> queues = new HashSet<>();
            keys.forEach(key -> queues.add(link.keys().shown(key.substring(prefix.length()))));
            return queues;
        });
    }

    private CompletableFuture<Set<String>> scan(ScanArgs args, ScanCursor from, Set<String> found) {
        return link.<KeyScanCursor<byte[]>>call("list queues", null, false, commands -> page(commands, from, args))
                .thenCompose(page -> {
                    page.getKeys().forEach(key -> found.add(new String(key, StandardCharsets.UTF_8)));
                    return page.isFinished() ? CompletableFuture.completedFuture(found) : scan(args, page, found);
                });
    }

    private static CompletionStage<KeyScanCursor<byte[]>> page(
            RedisClusterAsyncCommands<byte[], byte[]> commands, ScanCursor from, ScanArgs args) {
        return commands.scan(from, args);
    }

    /** A text that a pattern of Redis's takes literally. */
    private static String escaped(String text) {
        return text.replaceAll("[\\\\*?\\[\\]^]", "\\\\$0");
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
