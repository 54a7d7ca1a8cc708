package dev.jono.backend.bucketmongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;

class SafeQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.safe();
    }
}
