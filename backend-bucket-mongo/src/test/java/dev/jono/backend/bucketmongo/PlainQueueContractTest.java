package dev.jono.backend.bucketmongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@EnabledForJreRange(
        min = JRE.JAVA_21,
        disabledReason = "needs virtual threads; on earlier JDKs the same suite of bucket-mongo-safe runs")
class PlainQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.plain();
    }
}
