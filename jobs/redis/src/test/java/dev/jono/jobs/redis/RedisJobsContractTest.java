package dev.jono.jobs.redis;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JobsContract;

class RedisJobsContractTest extends JobsContract {
    @Override
    protected ContractSetup open() {
        return RedisSetup.onNode();
    }
}
