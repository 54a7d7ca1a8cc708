package dev.jono.backend.redisoq;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.PipelineContract;
import org.junit.jupiter.api.Tag;

/** Behind Sentinels. */
@Tag("fault")
class RedisOqSentinelsPipelineContractTest extends PipelineContract {
    @Override
    protected ContractSetup open() {
        return Fixture.sentinels();
    }
}
