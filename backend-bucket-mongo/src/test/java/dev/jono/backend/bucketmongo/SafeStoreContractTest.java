package dev.jono.backend.bucketmongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;

class SafeStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return Fixture.safe();
    }
}
