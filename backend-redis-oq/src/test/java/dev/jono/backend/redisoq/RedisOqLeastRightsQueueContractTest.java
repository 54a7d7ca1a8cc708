package dev.jono.backend.redisoq;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;
import dev.jono.testkit.server.RedisUser;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The guarantees are the engine's, above a store whose rules run on every JDK: here for a user with the listed rights of backend,
 * signaller and stats together, each test behind a prefix of its own.
 */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "runs with virtual threads; on earlier ones the Cluster's runs")
class RedisOqLeastRightsQueueContractTest extends QueueContract {
    @RegisterExtension
    static final RedisUser REDIS =
            RedisUser.with(RedisOqLeastRightsContractTest.RIGHTS + " +subscribe +unsubscribe +hincrby +hsetnx +hkeys");

    @Override
    protected ContractSetup open() {
        return Fixture.apart(REDIS.uri());
    }
}
