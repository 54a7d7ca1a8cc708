package dev.jono.e2e.postgres;

import static dev.jono.e2e.faults.Waits.assertGets;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.e2e.faults.Waits;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TcpProxy;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client whose listening connection was ended listens again, and catches up long before its poll interval ends. */
@Tag("fault")
class MissedSignalTest {
    private static final String LISTENERS =
            "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()";

    private PostgresServer server;
    private TcpProxy proxy;
    private QueueFactory direct;
    private QueueFactory cutOff;

    @BeforeEach
    void connect() {
        server = PostgresServer.start();
        proxy = TcpProxy.to(server.host(), server.port());
        direct = QueueFactory.connect("postgres:" + server.url());
        cutOff = QueueFactory.builder(
                        "postgres:" + server.url().replace(":" + server.port() + "/", ":" + proxy.port() + "/"))
                .queueDefaults(Waits.options())
                .connect();
    }

    @AfterEach
    void close() {
        cutOff.close();
        direct.close();
        proxy.close();
        Leftovers.assertNone(server);
        server.close();
    }

    private void awaitListeners(int count) {
        Awaitility.await("listeners")
                .atMost(Waits.SOON)
                .until(() -> server.query(LISTENERS).size() == count);
    }

    private void awaitListening() {
        awaitListeners(1);
        Waits.awaitQuiet(proxy);
    }

    /** Ends the listening connection alone, and lets no new one through. */
    private void cut() {
        proxy.refuse();
        server.query("SELECT pg_terminate_backend(pid) FROM (" + LISTENERS + ") AS listeners");
        awaitListeners(0);
    }

    @Test
    void messagePushedDuringTheLossIsFoundAfterIt() {
        CompletableFuture<Optional<Message<String>>> pop = Waits.pop(cutOff, "orders");
        awaitListening();
        cut();
        direct.queue("orders", Codec.string()).push("a");
        assertThat(pop).isNotDone();
        proxy.accept();
        assertGets(pop, "a");
    }

    @Test
    void pauseDuringTheLossHoldsAfterIt() {
        MessageQueue<String> orders = direct.queue("orders", Codec.string());
        CompletableFuture<Optional<Message<String>>> pop = Waits.pop(cutOff, "orders");
        CompletableFuture<Optional<Message<String>>> others = Waits.pop(cutOff, "others");
        awaitListening();
        cut();
        orders.pause();
        proxy.accept();
        awaitListening();
        orders.push("a");
        direct.queue("others", Codec.string()).push("b");
        assertGets(others, "b");
        Waits.awaitQuiet(proxy);
        assertThat(pop).isNotDone();
        assertThat(orders.size()).isEqualTo(1);
        orders.resume();
        assertGets(pop, "a");
    }
}
