package dev.jono.backend.redislist;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;
import dev.jono.testkit.server.RedisUser;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The guarantees of the engine, for a user with the listed rights of backend, signaller and stats together. Each test has a
 * prefix of its own. The rules of the store run on every JDK; these need a newer one.
 */
@EnabledForJreRange(
        min = JRE.JAVA_21,
        disabledReason = "needs virtual threads; on older JDKs the test on a Cluster runs")
class RedisListQueueContractTest extends QueueContract {
    @RegisterExtension
    static final RedisUser REDIS = RedisUser.with(RedisListLeastRightsContractTest.RIGHTS
            + " +subscribe +unsubscribe +hincrby +hset +hsetnx +hget +hmget +hkeys +hdel");

    @Override
    protected ContractSetup open() {
        return Fixture.onNode(REDIS.uri());
    }
}
