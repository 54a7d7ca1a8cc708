package dev.jono.backend.redislist;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;

class RedisListStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return Fixture.shared();
    }
}
