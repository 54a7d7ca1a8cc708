package dev.jono.jobs.redis;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JobStoreContract;
import org.junit.jupiter.api.Tag;

/** On a Cluster, with a prefix that puts all keys into one slot. */
@Tag("fault")
class RedisJobStoreOneSlotContractTest extends JobStoreContract {
    @Override
    protected ContractSetup open() {
        return RedisSetup.oneSlot();
    }
}
