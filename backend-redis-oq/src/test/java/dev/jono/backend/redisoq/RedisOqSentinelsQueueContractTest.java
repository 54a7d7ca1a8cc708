package dev.jono.backend.redisoq;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;
import org.junit.jupiter.api.Tag;

/** Behind Sentinels. */
@Tag("fault")
class RedisOqSentinelsQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.sentinels();
    }
}
