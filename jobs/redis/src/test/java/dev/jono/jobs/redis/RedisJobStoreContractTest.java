package dev.jono.jobs.redis;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JobStoreContract;

class RedisJobStoreContractTest extends JobStoreContract {
    @Override
    protected ContractSetup open() {
        return RedisSetup.onNode();
    }
}
