package dev.jono.backend.keusspostgres;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The guarantees of the engine. The rules of the store and of pipelines run on every JDK. */
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "runs on JDK 17 only, to save time")
class KeussPostgresQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.oldest();
    }
}
