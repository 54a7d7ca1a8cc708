package dev.jono.backend.mongo;

import dev.jono.support.mongo.testing.ContractSetups;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;
import org.junit.jupiter.api.Tag;

/** The store of {@code pl-mongo} on a server without transactions; a move within a pipeline needs none. */
@Tag("fault")
class PlMongoStandaloneStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return ContractSetups.onStandalone("pl-mongo", "&jono.pipeline=test", PlMongoBackendProvider.CAPABILITIES)
                .idInOneQueue()
                .build();
    }
}
