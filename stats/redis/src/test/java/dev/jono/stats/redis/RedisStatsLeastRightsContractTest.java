package dev.jono.stats.redis;

import dev.jono.spi.StatsStore;
import dev.jono.testkit.StatsContract;
import dev.jono.testkit.server.RedisServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract, for a user with the rights that docs/redis-signals-and-stats.md lists and no others. */
class RedisStatsLeastRightsContractTest extends StatsContract {
    private static final String USER = "user stats on >secret resetchannels ~keuss:stats:N* -@all +hello +hincrby"
            + " +hset +hsetnx +hget +hmget +hkeys +hdel +scan";

    private static @Nullable RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.builder().users(USER).start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected StatsStore open(String namespace) {
        if (server == null) {
            throw new IllegalStateException("not started");
        }
        return RedisStatsContractTest.open("redis://stats:secret@" + server.address(), namespace);
    }
}
