package dev.jono.backend.redisoq;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;
import dev.jono.testkit.server.RedisUser;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The rules of the SPI, for a user with the rights that docs/backends/redis-oq.md lists and no others, with any prefix. */
class RedisOqLeastRightsContractTest extends StoreContract {
    static final String RIGHTS = "~*:keuss:* ~*:jono:* &*:keuss:signal:*"
            + " +hello +ping +eval +evalsha +publish +time +get +mget +getrange +set +del +hget +hmget +hset +hdel +hexists +hlen"
            + " +zadd +zrem +zscore +zcard +zcount +zrange +zrangebyscore +zrangebylex +zremrangebyscore"
            + " +lrange +rpush +unlink +pexpire +type"
            + " +scan";

    @RegisterExtension
    static final RedisUser REDIS = RedisUser.with(RIGHTS);

    @Override
    protected ContractSetup open() {
        return Fixture.onNode(REDIS.uri());
    }
}
