package dev.jono.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.StorageException;
import dev.jono.support.postgres.PostgresTx;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pushes in transactions of the application that do not see what others commit meanwhile. */
class JoinedIsolationTest {
    private TestSchema schema;
    private QueueFactory jono;
    private Connection application;

    @BeforeEach
    void open() throws SQLException {
        schema = TestSchema.in(PostgresServer.sharedUrl());
        jono = QueueFactory.connect(schema.jonoUrl());
        application = DriverManager.getConnection(schema.jdbcUrl());
        application.setAutoCommit(false);
        application.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    }

    @AfterEach
    void close() throws SQLException {
        application.close();
        jono.close();
        schema.close();
    }

    private void push(MessageQueue<String> queue, String payload, PushOptions options) {
        queue.push(payload, options.in(PostgresTx.of(application)));
    }

    /** From here on the transaction sees nothing new. */
    private void begin() throws SQLException {
        try (var statement = application.createStatement()) {
            statement.execute("SELECT 1");
        }
    }

    @Test
    void pushIsStoredByTheCommit() throws Exception {
        MessageQueue<String> orders = jono.queue("orders", Codec.string());
        orders.push("first");
        begin();
        orders.push("second");
        push(orders, "third", PushOptions.none());
        application.commit();
        assertThat(orders.pop(3, Duration.ZERO))
                .extracting(Message::payload)
                .containsExactly("first", "second", "third");
    }

    /** The transaction still sees the queue, whose number is not used any more. */
    @Test
    void queueThatIsDeletedMeanwhileTakesNoMessageAlong() throws Exception {
        MessageQueue<String> orders = jono.queue("orders", Codec.string());
        orders.push("first");
        assertThat(orders.pop(Duration.ZERO)).isPresent();
        begin();
        orders.delete();
        assertThatThrownBy(() -> push(jono.queue("orders", Codec.string()), "second", PushOptions.none()))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("orders");
        application.rollback();
        push(jono.queue("orders", Codec.string()), "third", PushOptions.none());
        application.commit();
        assertThat(jono.queue("orders", Codec.string()).pop(Duration.ZERO))
                .map(Message::payload)
                .contains("third");
    }

    /** It would not see which messages of its key are gone, and would wait for them for ever. */
    @Test
    void keyedPushIsRefused() throws Exception {
        MessageQueue<String> keyed = jono.queue(
                "keyed", Codec.string(), QueueOptions.builder().keyed().build());
        PushOptions key = PushOptions.none().key("k");
        keyed.push("1", key);
        begin();
        assertThatThrownBy(() -> push(keyed, "2", key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("READ COMMITTED")
                .hasMessageContaining("keyed");
        application.rollback();
        application.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        push(keyed, "3", key);
        application.commit();
        assertThat(keyed.pop(Duration.ZERO)).map(Message::payload).contains("1");
        assertThat(keyed.pop(Duration.ZERO)).map(Message::payload).contains("3");
    }
}
