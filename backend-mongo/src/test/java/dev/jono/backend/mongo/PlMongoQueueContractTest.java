package dev.jono.backend.mongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The engine gives these guarantees, above a store that is tested on every JDK: one JDK per layout is enough. */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "needs virtual threads; on earlier JDKs the test of mongo runs")
class PlMongoQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.plMongo();
    }
}
