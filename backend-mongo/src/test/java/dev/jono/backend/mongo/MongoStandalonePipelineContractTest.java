package dev.jono.backend.mongo;

import dev.jono.Capability;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.PipelineContract;
import org.junit.jupiter.api.Tag;

/** On a server without transactions: a link stores there and then removes here. */
@Tag("fault")
class MongoStandalonePipelineContractTest extends PipelineContract {
    @Override
    protected ContractSetup open() {
        return Fixture.standalone(
                "mongo", "", Fixture.without(MongoBackendProvider.CAPABILITIES, Capability.ATOMIC_MOVE));
    }
}
