package dev.jono.backend.postgres;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;

class PostgresStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return Fixture.oldest();
    }
}
