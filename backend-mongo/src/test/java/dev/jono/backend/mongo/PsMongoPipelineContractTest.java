package dev.jono.backend.mongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.PipelineContract;

class PsMongoPipelineContractTest extends PipelineContract {
    @Override
    protected ContractSetup open() {
        return Fixture.psMongo();
    }
}
