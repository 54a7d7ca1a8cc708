package dev.jono.stats.postgres;

import dev.jono.spi.StatsStore;
import dev.jono.testkit.StatsExpiryContract;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresStatsExpiryContractTest extends StatsExpiryContract {
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
        return Stats.open(schema, "&jono.expire=3s", namespace);
    }
}
