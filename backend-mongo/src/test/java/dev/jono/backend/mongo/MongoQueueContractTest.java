package dev.jono.backend.mongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@EnabledForJreRange(max = JRE.JAVA_20, disabledReason = "on later JDKs the test of pl-mongo runs")
class MongoQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.mongo();
    }
}
