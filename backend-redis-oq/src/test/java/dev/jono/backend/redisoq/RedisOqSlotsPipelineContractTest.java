package dev.jono.backend.redisoq;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.PipelineContract;
import org.junit.jupiter.api.Tag;

/** On a Cluster, where dead letter and pipelines cross slots. */
@Tag("fault")
class RedisOqSlotsPipelineContractTest extends PipelineContract {
    @Override
    protected ContractSetup open() {
        return Fixture.slots();
    }
}
