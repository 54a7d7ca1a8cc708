package dev.jono.backend.redislist;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;
import org.junit.jupiter.api.Tag;

/** On a Cluster. */
@Tag("fault")
class RedisListClusterStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return Fixture.cluster();
    }
}
