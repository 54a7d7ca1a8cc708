package dev.jono.backend.mongo;

import dev.jono.support.mongo.testing.ContractSetups;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Queues on a server without transactions. */
@EnabledForJreRange(
        min = JRE.JAVA_21,
        disabledReason = "needs virtual threads; on earlier JDKs the test of the replica set runs")
class MongoStandaloneQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return ContractSetups.onStandalone(
                        "mongo", "", ContractSetups.withoutTransactions(MongoBackendProvider.CAPABILITIES))
                .build();
    }
}
