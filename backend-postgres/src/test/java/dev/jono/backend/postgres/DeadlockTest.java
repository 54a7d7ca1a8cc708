package dev.jono.backend.postgres;

import static dev.jono.testkit.RawBackend.acking;
import static dev.jono.testkit.RawBackend.got;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Another program locks rows of Jono in the wrong order. The server ends Jono's call, which runs again. */
class DeadlockTest {
    private TestSchema schema;
    private RawBackend backend;
    private Connection other;

    @BeforeEach
    void open() throws SQLException {
        schema = TestSchema.in(PostgresServer.sharedUrl());
        backend = RawBackend.open(schema.jonoUrl());
        other = DriverManager.getConnection(schema.jdbcUrl());
        other.setAutoCommit(false);
        execute("SET deadlock_timeout = '1min'"); // so Jono's call finds the deadlock, and not this one
        other.commit();
    }

    @AfterEach
    void close() throws SQLException {
        other.close();
        backend.close();
        schema.close();
    }

    private void execute(String sql) throws SQLException {
        try (var statement = other.createStatement()) {
            statement.execute(sql);
        }
    }

    private void lock(StoredMessage message) throws SQLException {
        execute("SELECT 1 FROM " + schema.name() + ".message WHERE id = " + message.id() + " FOR UPDATE");
    }

    private long waiting() throws SQLException {
        try (var statement = other.createStatement();
                var row = statement.executeQuery(
                        "SELECT count(*) FROM pg_locks l WHERE NOT l.granted AND EXISTS (SELECT 1"
                                + " FROM pg_stat_activity a WHERE a.pid = l.pid AND a.query LIKE '%" + schema.name()
                                + "%')")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void ackRunsAgain() throws Exception {
        backend.insert("a", "b");
        List<StoredMessage> held = backend.claim(2).messages();
        lock(held.get(1));
        CompletableFuture<SettleResult> ack = CompletableFuture.supplyAsync(
                () -> got(backend.store().ack(acking(held.toArray(StoredMessage[]::new)))));
        Awaitility.await("the ack to wait").atMost(Duration.ofSeconds(20)).until(() -> waiting() > 0);
        lock(held.get(0));
        other.commit();
        assertThat(ack.join().outcomes()).containsExactly(Outcome.DONE, Outcome.DONE);
    }
}
