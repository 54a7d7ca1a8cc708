package dev.jono.backend.redisoq;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;

class RedisOqQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.shared();
    }
}
