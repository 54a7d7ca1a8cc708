package dev.jono.backend.bucketmongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@EnabledForJreRange(
        min = JRE.JAVA_21,
        disabledReason = "runs with virtual threads; on earlier ones bucket-mongo-safe's runs")
class PlainQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.plain();
    }
}
