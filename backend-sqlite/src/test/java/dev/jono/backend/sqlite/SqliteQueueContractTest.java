package dev.jono.backend.sqlite;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.QueueContract;

class SqliteQueueContractTest extends QueueContract {
    @Override
    protected ContractSetup open() {
        return SqliteStoreContractTest.fresh();
    }
}
