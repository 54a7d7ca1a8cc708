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
        String url = schema.jonoUrl() + "&jono.pool=6";
        return ContractSetup.builder(url)
                .transactions(new JdbcTransactions(schema.jdbcUrl(), PostgresTx::of))
                .declares(EnumSet.allOf(Capability.class))
                .realTime(Duration.ofMillis(300))
                .otherProcessUrl(url)
                .idInOneQueue()
                .onClose(schema::close)
                .build();
    }
}
