package dev.jono.backend.redislist;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;
import dev.jono.testkit.server.RedisUser;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The rules of the SPI, for a user with the rights that docs/backends/redis-list.md lists and no others, with any prefix. */
class RedisListLeastRightsContractTest extends StoreContract {
    static final String RIGHTS = "~*:keuss:* ~*:jono:* &*:keuss:signal:*"
            + " +hello +ping +eval +evalsha +publish +time +get +set +del +lpush +rpush +sort +ltrim +memory|usage"
            + " +llen +lrange +lindex +exists +unlink +pexpire"
            + " +scan";

    @RegisterExtension
    static final RedisUser REDIS = RedisUser.with(RIGHTS);

    @Override
    protected ContractSetup open() {
        return Fixture.onNode(REDIS.uri());
    }
}
