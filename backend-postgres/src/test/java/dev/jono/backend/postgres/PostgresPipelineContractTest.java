package dev.jono.backend.postgres;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.PipelineContract;

class PostgresPipelineContractTest extends PipelineContract {
    @Override
    protected ContractSetup open() {
        return Fixture.byJdk();
    }
}
