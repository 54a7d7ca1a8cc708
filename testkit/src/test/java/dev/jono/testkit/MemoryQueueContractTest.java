package dev.jono.testkit;

class MemoryQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return MemorySetup.fresh().build();
    }
}
