package dev.jono.backend.postgres;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;
import dev.jono.testkit.server.PgBouncer;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The contract of the SPI through a pooler in transaction mode: each transaction may have another connection to the server,
 * of which there are fewer than clients.
 */
class PgBouncerStoreContractTest extends StoreContract {
    private static PostgresServer server;
    private static PgBouncer pooler;

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
        pooler = PgBouncer.start(server, "transaction", "default_pool_size=8");
    }

    @AfterAll
    static void stop() {
        pooler.close();
        server.close();
    }

    @Override
    protected ContractSetup open() {
        TestSchema schema = TestSchema.in(server.url());
        return Fixture.on(pooler.url() + "&prepareThreshold=0", schema.name(), schema::close);
    }
}
