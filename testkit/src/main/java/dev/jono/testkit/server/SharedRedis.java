package dev.jono.testkit.server;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A server that the tests of this JVM share: started when it is first asked for, ended with the JVM. Thread-safe. */
final class SharedRedis {
    static final SharedRedis NODE = new SharedRedis(SharedRedis::findOrStart);
    static final SharedRedis CLUSTER =
            new SharedRedis(() -> RedisCluster.start().uri());
    static final SharedRedis SENTINELS =
            new SharedRedis(() -> RedisSentinels.start().uri());

    private final Supplier<String> start;
    private @Nullable String uri;

    private SharedRedis(Supplier<String> start) {
        this.start = start;
    }

    String uri() {
        synchronized (this) {
            String known = uri;
            if (known == null) {
                known = start.get();
                uri = known;
            }
            return known;
        }
    }

    private static String findOrStart() {
        String explicit = System.getenv("JONO_TEST_REDIS");
        if (explicit != null && !explicit.isEmpty()) {
            return explicit;
        }
        if (ServerBinary.named("redis-server").find().isPresent()) {
            return RedisServer.start().uri();
        }
        return DockerRedis.startShared().uri();
    }
}
