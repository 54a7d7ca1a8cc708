package dev.jono.e2e.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.StorageException;
import dev.jono.e2e.faults.ManyStarter;
import dev.jono.testkit.ChildJvm;
import dev.jono.testkit.server.PgBouncer;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TcpProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More clients than the server allows connections. */
@Tag("fault")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManyClientsTest {
    private static final int PROCESSES = 4;
    private static final int CLIENTS = 50;
    private static final Duration SOON = Duration.ofSeconds(20);

    /** All start at once on an empty database. Each creates the tables, or finds them, pushes one message and pops one. */
    @Test
    void twoHundredShareFewConnectionsByAPooler() {
        try (PostgresServer server =
                PostgresServer.builder().option("max_connections", "40").start()) {
            try (PgBouncer pooler = PgBouncer.start(server, "transaction", "default_pool_size=20")) {
                List<String> ends =
                        run("postgres:" + pooler.url() + "&prepareThreshold=0&jono.signal=poll&jono.pool=2");
                assertThat(ends).containsExactlyElementsOf(Collections.nCopies(PROCESSES * CLIENTS, "done"));
            }
            Leftovers.assertNone(server);
        }
    }

    /** Returns how each client ended. */
    private static List<String> run(String url) {
        List<ChildJvm> children = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                children.add(ChildJvm.start(ManyStarter.class, Integer.toString(CLIENTS)));
            }
            children.forEach(child -> child.await("ready", c -> c.lines().contains("ready")));
            children.forEach(child -> child.send(url));
            List<String> ends = new ArrayList<>();
            for (ChildJvm child : children) {
                child.await("all clients", c -> c.lines().size() == 1 + CLIENTS);
                ends.addAll(child.lines().subList(1, 1 + CLIENTS));
            }
            return ends;
        } finally {
            children.forEach(ChildJvm::close);
        }
    }

    private static void fill(PostgresServer server, Deque<Connection> taken) {
        assertThatThrownBy(() -> {
                    while (true) {
                        taken.add(DriverManager.getConnection(server.url()));
                    }
                })
                .isInstanceOf(SQLException.class);
    }

    /** While its network is cut, others take the place of a client. */
    @Test
    void refusedConnectionIsExplainedAndWaitedFor() throws SQLException {
        Deque<Connection> taken = new ArrayDeque<>();
        try (PostgresServer server =
                        PostgresServer.builder().option("max_connections", "10").start();
                TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                QueueFactory jono = QueueFactory.connect("postgres:"
                        + server.url().replace(":" + server.port() + "/", ":" + proxy.port() + "/")
                        + "&jono.signal=poll")) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.push("a");
            fill(server, taken);
            assertThatThrownBy(() -> QueueFactory.connect("postgres:" + server.url()))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("too many clients")
                    .hasMessageContaining("max_connections");

            int before = taken.size();
            proxy.refuse();
            proxy.cutAll();
            Awaitility.await("the place of the client").atMost(SOON).until(() -> {
                fill(server, taken);
                return taken.size() > before;
            });
            proxy.accept();
            CompletableFuture<?> push = orders.pushAsync("b").toCompletableFuture();
            assertThat(push).isNotDone();
            taken.remove().close();
            assertThat(push).succeedsWithin(SOON);
            assertThat(orders.totalSize()).isEqualTo(2);
        } finally {
            for (Connection each : taken) {
                each.close();
            }
        }
    }
}
