package dev.jono.jobs.postgres;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JobStoreContract;
import dev.jono.testkit.server.PgBouncer;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract of records through a pooler in transaction mode. */
class PgBouncerJobStoreContractTest extends JobStoreContract {
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
        return PostgresSetup.on(pooler.url() + "&prepareThreshold=0", schema);
    }
}
