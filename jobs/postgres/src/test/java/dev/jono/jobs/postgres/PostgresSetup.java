package dev.jono.jobs.postgres;

import dev.jono.Capability;
import dev.jono.support.postgres.PostgresTx;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JdbcTransactions;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.time.Duration;
import java.util.EnumSet;

/** An empty schema for a test. */
final class PostgresSetup {
    private PostgresSetup() {}

    static ContractSetup open() {
        TestSchema schema = TestSchema.in(PostgresServer.sharedUrl());
        return on(schema.jdbcUrl(), schema);
    }

    /**
     * A setup for any URL of the server.
     *
     * @param location the URL of the driver
     */
    static ContractSetup on(String location, TestSchema schema) {
        String url = "postgres:" + location + "&jono.schema=" + schema.name() + "&jono.pool=6";
        return ContractSetup.builder(url)
                .transactions(new JdbcTransactions(location, PostgresTx::of))
                .declares(EnumSet.allOf(Capability.class))
                .realTime(Duration.ofMillis(300))
                .otherProcessUrl(url)
                .idInOneQueue()
                .onClose(schema::close)
                .build();
    }
}
