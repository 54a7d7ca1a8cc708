package dev.jono.backend.keusspostgres;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;

class KeussPostgresStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return Fixture.oldest();
    }
}
