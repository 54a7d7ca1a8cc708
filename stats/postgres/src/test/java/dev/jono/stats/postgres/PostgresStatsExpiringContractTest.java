package dev.jono.stats.postgres;

import dev.jono.spi.StatsStore;
import dev.jono.testkit.StatsContract;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The same contract with an expiry. */
class PostgresStatsExpiringContractTest extends StatsContract {
    private static TestSchema schema;

    @BeforeAll
    static void nameSchema() {
        schema = TestSchema.in(PostgresServer.sharedUrl());
    }

    @AfterAll
    static void dropSchema() {
        schema.close();
    }

    @Override
    protected StatsStore open(String namespace) {
        return Stats.open(schema, "&jono.expire=1h", namespace);
    }
}
