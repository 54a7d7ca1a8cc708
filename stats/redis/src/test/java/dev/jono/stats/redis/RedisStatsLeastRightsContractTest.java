package dev.jono.stats.redis;

import dev.jono.spi.StatsStore;
import dev.jono.testkit.StatsContract;
import dev.jono.testkit.server.RedisUser;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract, for a user with the rights that docs/backends/signals-and-stats.md lists and no others. */
class RedisStatsLeastRightsContractTest extends StatsContract {
    static final String RIGHTS = "~keuss:stats:N* +hello +hincrby +hset +hsetnx +hget +hmget +hkeys +hdel +del +scan";

    @RegisterExtension
    static final RedisUser REDIS = RedisUser.with(RIGHTS);

    @Override
    protected StatsStore open(String namespace) {
        return RedisStatsContractTest.open(REDIS.uri(), namespace);
    }
}
