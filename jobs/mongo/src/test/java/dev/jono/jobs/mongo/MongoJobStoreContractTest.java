package dev.jono.jobs.mongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JobStoreContract;

class MongoJobStoreContractTest extends JobStoreContract {
    @Override
    protected ContractSetup open() {
        return MongoSetup.open();
    }
}
