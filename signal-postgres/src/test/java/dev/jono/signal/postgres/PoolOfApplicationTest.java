package dev.jono.signal.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.jono.spi.Signaller;
import dev.jono.support.postgres.PostgresStorage;
import dev.jono.testkit.PluginConfigs;
import dev.jono.testkit.RecordingListener;
import dev.jono.testkit.server.PostgresServer;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The listening connection is one of a pool of the application, which must get it back. */
class PoolOfApplicationTest {
    private static final int CONNECTIONS = 2;
    private static final int ROUNDS = 20;
    private static final Duration SOON = Duration.ofSeconds(20);

    private PostgresServer server;
    private HikariDataSource pool;

    @BeforeEach
    void start() {
        server = PostgresServer.start();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.url());
        config.setMaximumPoolSize(CONNECTIONS);
        pool = new HikariDataSource(config);
    }

    @AfterEach
    void stop() {
        pool.close();
        server.close();
    }

    @Test
    void poolGetsItsConnectionsBack() throws Exception {
        assertReturned(pool);
    }

    /** A wrapper does not show which pool it is. */
    @Test
    void wrappedPoolGetsItsConnectionsBack() throws Exception {
        assertReturned((DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> method.invoke(pool, arguments)));
    }

    /** The application may close its pool as soon as the signaller is closed. */
    @Test
    void closedSignallerHoldsNoConnection() {
        for (int round = 1; round <= ROUNDS; round++) {
            RecordingListener listener = new RecordingListener();
            try (Signaller signaller = open(pool)) {
                signaller.subscribe("orders", listener);
                Awaitility.await("listening").atMost(SOON).until(() -> listener.gaps() == 1);
            }
            assertThat(pool.getHikariPoolMXBean().getActiveConnections())
                    .as("in use, round %d", round)
                    .isZero();
        }
    }

    private static Signaller open(DataSource source) {
        return new PostgresSignallerProvider()
                .open(PluginConfigs.builder("postgres:")
                        .storage(PostgresStorage.of(source))
                        .build());
    }

    private void assertReturned(DataSource source) throws Exception {
        RecordingListener listener = new RecordingListener();
        try (Signaller signaller = open(source)) {
            signaller.subscribe("orders", listener);
            for (int gaps = 1; gaps <= CONNECTIONS + 1; gaps++) {
                int expected = gaps;
                Awaitility.await("listening").atMost(SOON).until(() -> listener.gaps() == expected);
                server.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()");
            }
            Awaitility.await("listening").atMost(SOON).until(() -> listener.gaps() == CONNECTIONS + 2);
        }
        Awaitility.await("connections to return")
                .atMost(SOON)
                .until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
        try (Connection first = pool.getConnection();
                Connection second = pool.getConnection()) {
            assertThat(first.isValid(1) && second.isValid(1)).isTrue();
        }
    }
}
