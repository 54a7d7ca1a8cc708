package dev.jono.backend.postgres;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;

class PostgresQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.byJdk();
    }
}
