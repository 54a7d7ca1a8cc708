package dev.jono.backend.sqlite;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.PipelineContract;

class SqlitePipelineContractTest extends PipelineContract {
    @Override
    protected ContractSetup open() {
        return SqliteStoreContractTest.fresh();
    }
}
