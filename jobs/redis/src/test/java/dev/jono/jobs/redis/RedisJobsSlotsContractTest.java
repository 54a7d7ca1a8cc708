package dev.jono.jobs.redis;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JobsContract;
import org.junit.jupiter.api.Tag;

/** On a Cluster, where types of jobs are in different slots. */
@Tag("fault")
class RedisJobsSlotsContractTest extends JobsContract {
    @Override
    protected ContractSetup open() {
        return RedisSetup.slots();
    }
}
