package dev.jono.backend.mongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;

class MongoQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.mongo();
    }
}
