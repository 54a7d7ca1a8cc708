package dev.jono.backend.redislist;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;
import org.junit.jupiter.api.Tag;

/** Behind Sentinels. */
@Tag("fault")
class RedisListSentinelsQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.sentinels();
    }
}
