package dev.jono.jobs.mongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JobsContract;

class MongoJobsContractTest extends JobsContract {
    @Override
    protected ContractSetup open() {
        return MongoSetup.open();
    }
}
