package dev.jono.jobs.postgres;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JobsContract;

class PostgresJobsContractTest extends JobsContract {
    @Override
    protected ContractSetup open() {
        return PostgresSetup.open();
    }
}
