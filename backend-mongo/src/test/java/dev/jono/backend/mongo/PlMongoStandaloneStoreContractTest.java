package dev.jono.backend.mongo;

import dev.jono.Capability;
import dev.jono.support.mongo.testing.ContractSetups;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** The store of {@code pl-mongo} on a server without transactions; a move within a pipeline needs none. */
@Tag("fault")
class PlMongoStandaloneStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        Set<Capability> capabilities = EnumSet.copyOf(PlMongoBackendProvider.CAPABILITIES);
        capabilities.remove(Capability.TRANSACTION);
        return ContractSetups.onStandalone("pl-mongo", "&jono.pipeline=test", capabilities)
                .idInOneQueue()
                .build();
    }
}
