package dev.jono.backend.bucketmongo;

import dev.jono.Capability;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;

/** The suite on a server without transactions. */
class SafeStandaloneStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return Fixture.standalone(
                "bucket-mongo-safe", Fixture.without(Profile.SAFE.capabilities(), Capability.ATOMIC_MOVE));
    }
}
