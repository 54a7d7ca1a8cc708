package dev.jono.e2e.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.e2e.faults.Waits;
import dev.jono.support.postgres.PostgresTx;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TcpProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The connection of an application breaks at the commit of a transaction in which it has pushed. */
@Tag("fault")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostCommitTest {
    private static final PushOptions OPTIONS = PushOptions.none().key("k").unique("order-1", Duration.ofHours(1));

    private PostgresServer server;
    private TcpProxy proxy;
    private QueueFactory pushing;
    private QueueFactory consuming;
    private Connection application;

    @BeforeEach
    void connect() throws SQLException {
        server = PostgresServer.start();
        proxy = TcpProxy.to(server.host(), server.port());
        pushing = QueueFactory.connect("postgres:" + server.url());
        consuming = QueueFactory.builder("postgres:" + server.url())
                .queueDefaults(Waits.options())
                .connect();
        application =
                DriverManager.getConnection(server.url().replace(":" + server.port() + "/", ":" + proxy.port() + "/"));
        application.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        application.close();
        pushing.close();
        consuming.close();
        proxy.close();
        Leftovers.assertNone(server);
        server.close();
    }

    private static MessageQueue<String> keyed(QueueFactory jono) {
        return jono.queue(
                "orders", Codec.string(), QueueOptions.builder().keyed().build());
    }

    /** The application neither knows nor says that its transaction was committed. The consumer polls once in ten minutes. */
    @Test
    void messageOfAnUnansweredCommitArrives() throws Exception {
        MessageQueue<String> orders = keyed(pushing);
        CompletableFuture<Optional<Message<String>>> pop = keyed(consuming).popAsync(Waits.LONG);
        String id = orders.push("a", OPTIONS.in(PostgresTx.of(application))).id();
        proxy.cutReplyAfter(0);
        assertThatThrownBy(application::commit).isInstanceOf(SQLException.class);
        Waits.assertGets(pop, "a");

        // A repetition under the unique key finds out what became of it.
        try (Connection again = DriverManager.getConnection(server.url())) {
            again.setAutoCommit(false);
            var repeated = orders.push("a", OPTIONS.in(PostgresTx.of(again)));
            again.commit();
            assertThat(repeated.duplicate()).isTrue();
            assertThat(repeated.id()).isEqualTo(id);
        }
        assertThat(orders.totalSize()).isZero();
    }

    /** The server rolls back, which also ends the lock of the key. */
    @Test
    void nothingIsLeftOfACommitThatDidNotArrive() throws Exception {
        MessageQueue<String> orders = keyed(pushing);
        PostgresTx tx = PostgresTx.of(application);
        orders.push("a", OPTIONS.in(tx));
        proxy.cutAll();
        assertThatThrownBy(application::commit).isInstanceOf(SQLException.class);
        tx.committed(); // does no harm
        assertThat(orders.push("b", OPTIONS).duplicate()).isFalse();
        assertThat(keyed(consuming).pop(Waits.SOON)).map(Message::payload).contains("b");
        assertThat(orders.totalSize()).isZero();
    }
}
