package dev.jono.backend.postgres;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.PipelineContract;
import org.junit.jupiter.api.Tag;

@Tag("once") // on a newer JDK, the contract of keuss-postgres runs
class PostgresPipelineContractTest extends PipelineContract {
    @Override
    protected ContractSetup open() {
        return Fixture.oldest();
    }
}
