package dev.jono.backend.bucketmongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@EnabledForJreRange(max = JRE.JAVA_20, disabledReason = "on later JDKs the same suite of bucket-mongo runs")
class SafeQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.safe();
    }
}
