package dev.jono.testkit.server;

import org.jspecify.annotations.Nullable;

/** The Redis that the tests of this JVM share. */
final class SharedRedis {
    private static final Object LOCK = new Object();
    private static @Nullable String uri;

    private SharedRedis() {}

    static String uri() {
        synchronized (LOCK) {
            String known = uri;
            if (known == null) {
                known = findOrStart();
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
