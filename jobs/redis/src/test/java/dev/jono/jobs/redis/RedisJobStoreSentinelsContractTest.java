package dev.jono.jobs.redis;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JobStoreContract;
import org.junit.jupiter.api.Tag;

/** Behind Sentinels. */
@Tag("fault")
class RedisJobStoreSentinelsContractTest extends JobStoreContract {
    @Override
    protected ContractSetup open() {
        return RedisSetup.sentinels();
    }
}
