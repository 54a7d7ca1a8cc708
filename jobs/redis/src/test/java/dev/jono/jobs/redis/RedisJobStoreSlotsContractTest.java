package dev.jono.jobs.redis;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JobStoreContract;
import org.junit.jupiter.api.Tag;

/** On a Cluster, where types of jobs are in different slots. */
@Tag("fault")
class RedisJobStoreSlotsContractTest extends JobStoreContract {
    @Override
    protected ContractSetup open() {
        return RedisSetup.slots();
    }
}
