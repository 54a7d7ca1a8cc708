package dev.jono.jobs.redis;

import dev.jono.JonoClock;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The names of the types that have records. On a Cluster they are in another slot than the records, so no script can change both.
 * A store therefore registers a type before it writes records, and again after each minute of use. A type that is found without
 * records is forgotten only if no store has registered it for ten minutes: then no write of its first record is in flight.
 * Thread-safe.
 */
final class Types {
    private static final long FRESH_NANOS = Duration.ofMinutes(1).toNanos();
    /** Writes wait for a registration only if the last one is older than this: one node of a Cluster can be down for some time. */
    private static final long STALE_NANOS = Duration.ofMinutes(5).toNanos();

    private static final byte[] FORGET_SECONDS =
            RedisKeys.bytes(Duration.ofMinutes(10).toSeconds());

    private final RedisLink link;
    private final JonoClock clock;
    private final byte[][] key;
    /** The types that this store has registered, with the monotonic times before that. */
    private final Map<String, Long> registered = new ConcurrentHashMap<>();

    Types(RedisLink link, JonoClock clock) {
        this.link = link;
        this.clock = clock;
        this.key = new byte[][] {link.keys().key(TypeKeys.TYPES)};
    }

    /** Completes when records of all these types can be written. */
    CompletableFuture<Void> register(Collection<String> types) {
        long now = clock.nanos();
        List<String> stale = new ArrayList<>();
        for (String type : types) {
            Long last = registered.get(type);
            if (last == null || now - last >= STALE_NANOS) {
                stale.add(type);
            } else if (now - last >= FRESH_NANOS && registered.replace(type, last, now)) {
                send(List.of(type)).whenComplete((done, failure) -> {
                    if (failure != null) {
                        registered.replace(type, now, last); // the next write tries again
                    }
                });
            }
        }
        return stale.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : send(stale).thenAccept(done -> stale.forEach(type -> registered.put(type, now)));
    }

    private CompletableFuture<?> send(List<String> types) {
        byte[][] names = types.stream().map(RedisKeys::bytes).toArray(byte[][]::new);
        return link.run(Scripts.REGISTER, null, key, names);
    }

    /** The names of all types. */
    CompletableFuture<List<String>> all() {
        return link.call("list job types", null, false, commands -> commands.zrange(key[0], 0, -1))
                .thenApply(names -> names.stream()
                        .map(name -> new String(name, StandardCharsets.UTF_8))
                        .toList());
    }

    /** Removes a type that has no records, unless it is used. */
    CompletableFuture<Void> forget(String type) {
        return link.run(Scripts.FORGET, null, key, RedisKeys.bytes(type), FORGET_SECONDS)
                .thenAccept(done -> {});
    }
}
