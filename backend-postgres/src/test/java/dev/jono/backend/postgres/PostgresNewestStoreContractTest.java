package dev.jono.backend.postgres;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;

/** The contract of the SPI on the newest version of PostgreSQL. */
class PostgresNewestStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return Fixture.newest();
    }
}
