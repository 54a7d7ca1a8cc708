package dev.jono.backend.bucketmongo;

import dev.jono.support.mongo.testing.ContractSetups;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;

/** The suite on a server without transactions. */
class PlainStandaloneStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return ContractSetups.onStandalone("bucket-mongo", "", Profile.PLAIN.capabilities())
                .build();
    }
}
