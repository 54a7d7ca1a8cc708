package dev.jono.backend.postgres;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.StorageException;
import dev.jono.testkit.server.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With default timeouts, a call that gets no connection certainly does nothing, and its exception says why. */
@Tag("fault")
class OutageTest {
    private PostgresServer server;
    private QueueFactory jono;
    private MessageQueue<String> orders;

    @BeforeEach
    void connect() {
        server = PostgresServer.start();
        jono = QueueFactory.connect("postgres:" + server.url() + "&jono.pool=1");
        orders = jono.queue("orders", Codec.string());
        orders.push("first");
    }

    @AfterEach
    void close() {
        jono.close();
        server.close();
    }

    @Test
    void serverIsGone() {
        server.kill();
        assertThatThrownBy(() -> orders.push("second"))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("refused");
    }

    @Test
    void allConnectionsAreInUse() throws Exception {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE jono.message IN ACCESS EXCLUSIVE MODE");
            var blocked = orders.pushAsync("second", PushOptions.none());
            Awaitility.await("the only connection to be in use")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> server.query("SELECT count(*) FROM pg_locks WHERE NOT granted")
                            .contains("1"));
            assertThatThrownBy(() -> jono.queue("mails", Codec.string()).push("third"))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("Connection is not available");
            connection.rollback();
            blocked.handle((id, failure) -> id).join();
        }
    }
}
