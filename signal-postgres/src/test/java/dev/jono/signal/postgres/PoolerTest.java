package dev.jono.signal.postgres;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.StorageException;
import dev.jono.spi.Signaller;
import dev.jono.testkit.PluginConfigs;
import dev.jono.testkit.RecordingListener;
import dev.jono.testkit.server.PgBouncer;
import dev.jono.testkit.server.PostgresServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A pooler in transaction mode accepts {@code LISTEN}, and passes no signals. What it lacks is in the log, and in exceptions. */
@Isolated // replaces System.err
class PoolerTest {
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final PrintStream before = System.err;
    private PostgresServer server;

    @BeforeEach
    void start() {
        server = PostgresServer.start();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void stop() {
        System.setErr(before);
        server.close();
    }

    @Test
    void poolerThatPassesNoSignalsIsNamed() {
        try (PgBouncer pooler = PgBouncer.start(server, "transaction");
                Signaller signaller = open(pooler, "&prepareThreshold=0")) {
            signaller.subscribe("orders", new RecordingListener());
            Awaitility.await("a warning")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> log.toString(StandardCharsets.UTF_8)
                            .lines()
                            .anyMatch(line -> line.contains("WARN") && line.contains("jono.signal=poll")));
        }
    }

    /** Several sessions of the driver prepare the same names in one session of the server. */
    @Test
    void poolerThatMixesPreparedStatementsIsExplained() {
        try (PgBouncer pooler = PgBouncer.start(server, "transaction")) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 20; i++) {
                            open(pooler, "").close();
                        }
                    })
                    .isInstanceOf(StorageException.class)
                    .hasMessageContainingAll("prepared statement", "prepareThreshold=0");
        }
    }

    private static Signaller open(PgBouncer pooler, String options) {
        return new PostgresSignallerProvider()
                .open(PluginConfigs.builder("postgres:" + pooler.url() + options)
                        .build());
    }
}
