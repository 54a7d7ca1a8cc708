package dev.jono.backend.mongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;

class PlMongoQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.plMongo();
    }
}
