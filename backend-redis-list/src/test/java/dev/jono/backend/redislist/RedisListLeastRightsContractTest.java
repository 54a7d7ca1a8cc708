package dev.jono.backend.redislist;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The rules of the SPI, for a user with the rights that docs/backends/redis-list.md lists and no others. */
class RedisListLeastRightsContractTest extends StoreContract {
    private static final String USER =
            "user jono on >secret resetkeys resetchannels -@all ~keuss:* ~jono:* &keuss:signal:*"
                    + " +hello +ping +eval +evalsha +publish +time +get +set +del +lpush +rpush +rpop +llen"
                    + " +lrange +lindex +exists +unlink +pexpire"
                    + " +scan";

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
    protected ContractSetup open() {
        if (server == null) {
            throw new IllegalStateException("not started");
        }
        server.call("FLUSHALL");
        return ContractSetup.builder("redis-list:redis://jono:secret@" + server.address())
                .declares(RedisListBackend.CAPABILITIES)
                .realTime(Duration.ofMillis(250))
                .build();
    }
}
