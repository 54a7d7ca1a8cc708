package dev.jono.backend.redisoq;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;

class RedisOqStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return Fixture.shared();
    }
}
