package dev.jono.testkit;

class MemoryJobStoreContractTest extends JobStoreContract {
    @Override
    protected ContractSetup open() {
        return MemorySetup.fresh().build();
    }
}
