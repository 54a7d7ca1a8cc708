package dev.jono.jobs.sqlite;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JobStoreContract;

class SqliteJobStoreContractTest extends JobStoreContract {
    @Override
    protected ContractSetup open() {
        return SqliteSetup.open();
    }
}
