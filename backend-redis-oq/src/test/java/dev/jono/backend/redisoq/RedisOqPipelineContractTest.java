package dev.jono.backend.redisoq;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.PipelineContract;

class RedisOqPipelineContractTest extends PipelineContract {
    @Override
    protected ContractSetup open() {
        return Fixture.shared();
    }
}
