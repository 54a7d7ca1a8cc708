package dev.jono.backend.mongo;

import dev.jono.support.mongo.testing.ContractSetups;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;
import org.junit.jupiter.api.Tag;

/** The store of {@code ps-mongo} on a server without transactions. */
@Tag("fault")
class PsMongoStandaloneStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return ContractSetups.onStandalone(
                        "ps-mongo",
                        "&jono.ttl=0s",
                        ContractSetups.withoutTransactions(new PsMongoBackendProvider().capabilities()))
                .build();
    }
}
