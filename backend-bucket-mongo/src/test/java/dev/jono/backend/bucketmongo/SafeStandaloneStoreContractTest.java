package dev.jono.backend.bucketmongo;

import dev.jono.support.mongo.testing.ContractSetups;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;

/** The suite on a server without transactions. */
class SafeStandaloneStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return ContractSetups.onStandalone(
                        "bucket-mongo-safe", "", ContractSetups.withoutTransactions(Profile.SAFE.capabilities()))
                .build();
    }
}
