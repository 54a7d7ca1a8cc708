package dev.jono.stats.redis;

import dev.jono.spi.Counter;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import dev.jono.support.redis.Script;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a queue's hash so that it expires when it is not used for some time. One script does everything, because a hash that
 * has expired since the last write needs its name and options again.
 */
final class ExpiringWriter {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.stats");
    private static final Script USE =
            Script.of("stats", true, Script.read(ExpiringWriter.class.getResourceAsStream("use.lua"), "use.lua"));
    private static final byte[] UNCHANGED = new byte[0];

    private final RedisLink link;
    private final byte[] namespace;
    private final byte[] millis;

    ExpiringWriter(RedisLink link, String namespace, long millis) {
        this.link = link;
        this.namespace = RedisKeys.bytes(namespace);
        this.millis = RedisKeys.bytes(millis);
    }

    CompletableFuture<Void> add(String queue, byte[] key, Map<Counter, Long> counts) {
        return use(queue, key, UNCHANGED, counts);
    }

    CompletableFuture<Void> setPaused(String queue, byte[] key, byte[] flag) {
        return use(queue, key, flag, Map.of());
    }

    private CompletableFuture<Void> use(String queue, byte[] key, byte[] flag, Map<Counter, Long> counts) {
        List<byte[]> args =
                new ArrayList<>(List.of(millis, RedisKeys.bytes(link.keys().stored(queue)), namespace, flag));
        counts.forEach((counter, count) -> {
            args.add(Fields.of(counter));
            args.add(RedisKeys.bytes(count));
        });
        return link.run(USE, queue, new byte[][] {key}, args.toArray(byte[][]::new))
                .thenAccept(refusals -> {
                    if (!refusals.isEmpty()) {
                        LOG.warn(
                                "a count of queue '{}' could not be added: {}",
                                queue,
                                new String((byte[]) refusals.get(0), StandardCharsets.UTF_8));
                    }
                });
    }
}
