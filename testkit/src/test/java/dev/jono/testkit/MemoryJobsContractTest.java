package dev.jono.testkit;

class MemoryJobsContractTest extends JobsContract {
    @Override
    protected ContractSetup open() {
        return MemorySetup.fresh().build();
    }
}
