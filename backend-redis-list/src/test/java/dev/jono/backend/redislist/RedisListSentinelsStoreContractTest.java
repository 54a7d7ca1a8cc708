package dev.jono.backend.redislist;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;
import org.junit.jupiter.api.Tag;

/** Behind Sentinels. */
@Tag("fault")
class RedisListSentinelsStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return Fixture.sentinels();
    }
}
