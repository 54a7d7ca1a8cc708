package dev.jono.backend.redislist;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;
import org.junit.jupiter.api.Tag;

/** On a Cluster. */
@Tag("fault")
class RedisListClusterQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.cluster();
    }
}
