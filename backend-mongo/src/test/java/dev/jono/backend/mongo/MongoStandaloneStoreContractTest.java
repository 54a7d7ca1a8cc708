package dev.jono.backend.mongo;

import dev.jono.support.mongo.testing.ContractSetups;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;

/** The store of {@code mongo} on a server without transactions. */
class MongoStandaloneStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return ContractSetups.onStandalone(
                        "mongo", "", ContractSetups.withoutTransactions(MongoBackendProvider.CAPABILITIES))
                .build();
    }
}
