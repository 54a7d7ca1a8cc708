package dev.jono.backend.mongo;

import dev.jono.support.mongo.testing.ContractSetups;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.PipelineContract;
import org.junit.jupiter.api.Tag;

/** Pipelines on a server without transactions: a link inserts into the target and then acks in the source. */
@Tag("fault")
class MongoStandalonePipelineContractTest extends PipelineContract {
    @Override
    protected ContractSetup open() {
        return ContractSetups.onStandalone(
                        "mongo", "", ContractSetups.withoutTransactions(MongoBackendProvider.CAPABILITIES))
                .build();
    }
}
