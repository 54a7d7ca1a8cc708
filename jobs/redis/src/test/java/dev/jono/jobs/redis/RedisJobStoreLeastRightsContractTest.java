package dev.jono.jobs.redis;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JobStoreContract;
import dev.jono.testkit.server.RedisUser;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract, for a user with the rights that docs/backends/redis-oq.md lists for jobs and no others, with any prefix. */
class RedisJobStoreLeastRightsContractTest extends JobStoreContract {
    static final String RIGHTS =
            "~*:jono:jobs:* +hello +ping +eval +evalsha +time +hget +hmget +hset +hdel +hexists +hlen"
                    + " +zadd +zrem +zscore +zcard +zrange +zrangebyscore +lrange +rpush +unlink"
                    + " +zrangebylex +zrevrangebylex +ltrim +xadd +xrange +xrevrange"
                    // For the factory, not for the store: signaller and stats.
                    + " ~*:keuss:* &*:keuss:signal:* +subscribe +unsubscribe +publish";

    @RegisterExtension
    static final RedisUser REDIS = RedisUser.with(RIGHTS);

    @Override
    protected ContractSetup open() {
        return RedisSetup.onNode(REDIS.uri());
    }
}
