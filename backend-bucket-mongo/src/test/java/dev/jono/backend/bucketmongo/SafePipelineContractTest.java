package dev.jono.backend.bucketmongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.PipelineContract;

class SafePipelineContractTest extends PipelineContract {
    @Override
    protected ContractSetup open() {
        return Fixture.safe();
    }
}
