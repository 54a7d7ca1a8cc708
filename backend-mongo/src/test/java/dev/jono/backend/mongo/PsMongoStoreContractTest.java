package dev.jono.backend.mongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;

class PsMongoStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return Fixture.psMongo();
    }
}
