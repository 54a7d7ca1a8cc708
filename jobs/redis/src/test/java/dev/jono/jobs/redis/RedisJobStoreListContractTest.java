package dev.jono.jobs.redis;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JobStoreContract;

/** On the connection of the backend {@code redis-list}. */
class RedisJobStoreListContractTest extends JobStoreContract {
    @Override
    protected ContractSetup open() {
        return RedisSetup.list();
    }
}
