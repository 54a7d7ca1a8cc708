package dev.jono.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.support.postgres.PostgresTx;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A relay from a SQLite file to PostgreSQL, where a push waits for a transaction. */
class SlowQueueTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    /** A push does not give up while the test waits for others. */
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    private static void commit(DataSource database, OutboxQueue<String> queue, String payload, PushOptions options)
            throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            queue.push(connection, payload, options);
            connection.commit();
        }
    }

    private static void assertNext(MessageQueue<String> queue, String payload) throws InterruptedException {
        assertThat(queue.pop(SOON).map(Message::payload)).contains(payload);
    }

    @Test
    void slowQueueDelaysNoOther() throws Exception {
        PushOptions unique = PushOptions.none().unique("order-17", Duration.ofHours(1));
        try (TestSchema schema = TestSchema.in(PostgresServer.sharedUrl());
                TestDatabase.Opened database = TestDatabase.SQLITE.open(folder);
                QueueFactory jono = QueueFactory.builder(schema.jonoUrl())
                        .queueDefaults(
                                QueueOptions.builder().operationTimeout(TIMEOUT).build())
                        .connect();
                Outbox outbox = Outbox.on(database, jono)
                        .pollInterval(Duration.ofMillis(20))
                        .start();
                Connection holder = DriverManager.getConnection(schema.jdbcUrl())) {
            MessageQueue<String> slow = jono.queue("slow", String.class);
            MessageQueue<String> fast = jono.queue("fast", String.class);
            OutboxQueue<String> toSlow = outbox.queue("slow", String.class);
            OutboxQueue<String> toFast = outbox.queue("fast", String.class);
            holder.setAutoCommit(false);
            PostgresTx tx = PostgresTx.of(holder);
            slow.push("holds the key", unique.in(tx));

            commit(database, toSlow, "waits for the key", unique);
            for (int i = 0; i < 3; i++) {
                commit(database, toFast, "f" + i, PushOptions.none());
                assertNext(fast, "f" + i);
            }
            Awaitility.await().atMost(SOON).until(() -> outbox.waiting() == 1);

            holder.rollback();
            tx.rolledBack();
            assertNext(slow, "waits for the key");
            Awaitility.await().atMost(SOON).until(() -> outbox.waiting() == 0);
        }
    }
}
