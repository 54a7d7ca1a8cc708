package dev.jono.jobs.sqlite;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JobsContract;

class SqliteJobsContractTest extends JobsContract {
    @Override
    protected ContractSetup open() {
        return SqliteSetup.open();
    }
}
