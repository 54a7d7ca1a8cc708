package dev.jono.backend.postgres;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;
import org.junit.jupiter.api.Tag;

@Tag("once") // on a newer JDK, the contract of keuss-postgres runs
class PostgresQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return Fixture.oldest();
    }
}
