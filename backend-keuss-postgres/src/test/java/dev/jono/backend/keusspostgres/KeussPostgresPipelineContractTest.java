package dev.jono.backend.keusspostgres;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.PipelineContract;

class KeussPostgresPipelineContractTest extends PipelineContract {
    @Override
    protected ContractSetup open() {
        return Fixture.oldest();
    }
}
