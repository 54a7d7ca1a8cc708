package dev.jono.backend.mongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;

class PlMongoStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return Fixture.plMongo();
    }
}
