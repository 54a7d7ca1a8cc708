package dev.jono.testkit;

class MemoryStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return MemorySetup.fresh().build();
    }
}
