package dev.jono.jobs.postgres;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JobStoreContract;

class PostgresJobStoreContractTest extends JobStoreContract {
    @Override
    protected ContractSetup open() {
        return PostgresSetup.open();
    }
}
