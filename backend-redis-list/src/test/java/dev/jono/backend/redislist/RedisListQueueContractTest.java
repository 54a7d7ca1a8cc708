package dev.jono.backend.redislist;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The guarantees are the engine's, above a store whose rules run on every JDK. */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "runs with virtual threads; on earlier ones the Cluster's runs")
class RedisListQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.shared();
    }
}
