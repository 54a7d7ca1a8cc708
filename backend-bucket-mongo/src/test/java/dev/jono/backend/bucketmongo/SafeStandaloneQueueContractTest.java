package dev.jono.backend.bucketmongo;

import dev.jono.support.mongo.testing.ContractSetups;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The suite on a server without transactions. */
@EnabledForJreRange(
        min = JRE.JAVA_21,
        disabledReason = "needs virtual threads; on earlier JDKs the suite on the replica set runs")
class SafeStandaloneQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return ContractSetups.onStandalone(
                        "bucket-mongo-safe", "", ContractSetups.withoutTransactions(Profile.SAFE.capabilities()))
                .build();
    }
}
