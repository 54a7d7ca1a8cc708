package dev.jono.backend.postgres;

import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.support.postgres.PostgresLink;
import dev.jono.support.postgres.PostgresTx;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JdbcTransactions;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.time.Duration;
import java.util.Set;

/** Empty schemas for tests. */
final class Fixture {
    private static final Duration SECOND = Duration.ofMillis(300);

    private static final String PREFIX = "postgres:";

    private Fixture() {}

    /** On the oldest version that is tested. */
    static ContractSetup oldest() {
        return on(TestSchema.in(PostgresServer.sharedUrl()));
    }

    /** On the oldest version with JDK 17, on the newest one with a newer JDK: runs on both JDKs test both versions. */
    static ContractSetup byJdk() {
        return Runtime.version().feature() == 17 ? oldest() : newest();
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
        String url = PREFIX + location + "&jono.schema=" + schema + "&jono.pool=6";
        return ContractSetup.builder(url)
                .declares(PostgresBackend.CAPABILITIES)
                .transactions(new JdbcTransactions(location, PostgresTx::of))
                .realTime(SECOND)
                .otherProcessUrl(url)
                .idInOneQueue()
                .onClose(onClose)
                .build();
    }

    /** Connections for an application that shares the database with a backend. */
    static PostgresLink link(TestSchema schema) {
        return PostgresLink.open(
                PluginConfig.builder()
                        .url(ConnectionUrl.parse(schema.jonoUrl()))
                        .executor(Runnable::run)
                        .build(),
                Set.of());
    }
}
