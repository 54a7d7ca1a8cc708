package dev.jono.backend.redisoq;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;
import org.junit.jupiter.api.Tag;

/** On a Cluster, with a prefix that puts all queues into one slot. */
@Tag("fault")
class RedisOqOneSlotStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return Fixture.oneSlot();
    }
}
