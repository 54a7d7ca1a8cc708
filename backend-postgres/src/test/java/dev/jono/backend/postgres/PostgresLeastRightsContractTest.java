package dev.jono.backend.postgres;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract of the SPI for a role with only the rights that docs/backends/postgres.md lists. */
class PostgresLeastRightsContractTest extends StoreContract {
    private static PostgresServer server;

    @BeforeAll
    static void createRole() {
        server = PostgresServer.start();
        server.query("CREATE ROLE app LOGIN");
        server.query("ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** The superuser creates the tables by opening them, and grants the rights. */
    @Override
    protected ContractSetup open() {
        TestSchema schema = TestSchema.in(server.url());
        Fixture.on(schema).openBackend().close();
        String name = schema.name();
        server.query("GRANT USAGE ON SCHEMA " + name + " TO app;"
                + " GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + name + " TO app;"
                + " GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA " + name + " TO app;"
                + " GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA " + name + " TO app");
        return Fixture.on(server.url("app"), name, schema::close);
    }
}
