package dev.jono.backend.keusspostgres;

import dev.jono.support.postgres.PostgresTx;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JdbcTransactions;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.time.Duration;

/** Empty schemas for tests, each with the tables of Jono and of the queues. */
final class Fixture {
    private static final Duration SECOND = Duration.ofMillis(300);

    private Fixture() {}

    /** On the oldest version that is tested. */
    static ContractSetup oldest() {
        return on(TestSchema.in(PostgresServer.sharedUrl()));
    }

    static ContractSetup newest() {
        return on(TestSchema.in(PostgresServer.sharedNewestUrl()));
    }

    static ContractSetup on(TestSchema schema) {
        return on(schema.jdbcUrl(), schema.name(), schema::close);
    }

    /**
     * A setup for any URL.
     *
     * @param location the URL of the driver
     */
    static ContractSetup on(String location, String schema, Runnable onClose) {
        String url = url(location, schema) + "&jono.pool=6";
        return ContractSetup.builder(url)
                .declares(KeussPostgresBackend.CAPABILITIES)
                .transactions(new JdbcTransactions(location, PostgresTx::of))
                .realTime(SECOND)
                .otherProcessUrl(url)
                .onClose(onClose)
                .build();
    }

    static String url(String location, String schema) {
        return KeussPostgresBackendProvider.TYPE + ":" + location + "&jono.schema=" + schema + "&jono.tables=" + schema;
    }
}
