package dev.jono.backend.bucketmongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;

/** The suite on a server without transactions. */
class PlainStandaloneStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return Fixture.standalone("bucket-mongo", Profile.PLAIN.capabilities());
    }
}
