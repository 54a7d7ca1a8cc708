package dev.jono.backend.mongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The guarantees are the engine's, above a store whose rules run on every JDK: one run of each layout is enough. */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "runs with virtual threads; on earlier ones mongo's runs")
class PsMongoQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.psMongo();
    }
}
