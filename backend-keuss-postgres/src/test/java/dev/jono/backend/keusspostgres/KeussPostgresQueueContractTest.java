package dev.jono.backend.keusspostgres;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;

class KeussPostgresQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.oldest();
    }
}
