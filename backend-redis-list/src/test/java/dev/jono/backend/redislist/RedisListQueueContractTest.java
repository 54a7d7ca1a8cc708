package dev.jono.backend.redislist;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;

class RedisListQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.shared();
    }
}
