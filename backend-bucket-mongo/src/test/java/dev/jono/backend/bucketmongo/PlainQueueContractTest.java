package dev.jono.backend.bucketmongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;

class PlainQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.plain();
    }
}
