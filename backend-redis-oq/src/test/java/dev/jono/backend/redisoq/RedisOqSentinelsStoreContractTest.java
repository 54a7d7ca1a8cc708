package dev.jono.backend.redisoq;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;
import org.junit.jupiter.api.Tag;

/** Behind Sentinels. */
@Tag("fault")
class RedisOqSentinelsStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return Fixture.sentinels();
    }
}
