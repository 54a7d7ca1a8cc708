package dev.jono.testkit;

class MemoryPipelineContractTest extends PipelineContract {
    @Override
    protected ContractSetup open() {
        return MemorySetup.fresh().build();
    }
}
