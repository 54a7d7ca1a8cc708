package dev.jono.e2e.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.e2e.faults.KeyedLoad;
import dev.jono.e2e.faults.Load;
import dev.jono.testkit.server.PgBouncer;
import dev.jono.testkit.server.PostgresServer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients behind a PgBouncer with default settings. It has no support for prepared statements, as before version 1.21. */
@Tag("fault")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PgBouncerTest {
    private static final int SOME = 10;
    private static final Duration LONG = Duration.ofMinutes(10);

    private PostgresServer server;

    @BeforeEach
    void start() {
        server = PostgresServer.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Fewer connections to the server than one client opens. The pooler and then the server are killed meanwhile. */
    @Test
    void transactionModeLosesAndDoublesNothing() {
        try (PgBouncer pooler = PgBouncer.start(server, "transaction", "default_pool_size=4")) {
            String url = "postgres:" + pooler.url() + "&prepareThreshold=0&jono.signal=poll";
            try (Load load = new Load(url);
                    KeyedLoad keyed = new KeyedLoad(url)) {
                Runnable going = () -> {
                    load.awaitMore(SOME);
                    keyed.awaitMore(SOME);
                };
                going.run();
                pooler.restart();
                going.run();
                server.kill();
                server.restart();
                going.run();
                load.assertNothingIsLostOrDoubled();
                keyed.assertNothingIsLostAndOrderIsKept();
            }
        }
        Leftovers.assertNone(server);
    }

    /** The consumer polls once in ten minutes, so only a signal can wake it. */
    @Test
    void sessionModeCarriesSignals() {
        try (PgBouncer pooler = PgBouncer.start(server, "session");
                QueueFactory producing = QueueFactory.connect("postgres:" + pooler.url());
                QueueFactory consuming = QueueFactory.builder("postgres:" + pooler.url())
                        .queueDefaults(QueueOptions.builder().pollInterval(LONG).build())
                        .connect()) {
            MessageQueue<String> orders = producing.queue("orders", Codec.string());
            CompletableFuture<Optional<Message<String>>> pop =
                    consuming.queue("orders", Codec.string()).popAsync(LONG);
            Awaitility.await("a listener")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> server.query("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
                            .contains("1"));
            for (int i = 0; i < SOME; i++) {
                orders.push("m" + i);
            }
            assertThat(pop).succeedsWithin(Duration.ofSeconds(20));
        }
    }

    /** Without the option, the driver prepares a statement at its fifth use, and another session does not know it. */
    @Test
    void lostPreparedStatementIsExplained() {
        try (PgBouncer pooler = PgBouncer.start(server, "transaction");
                QueueFactory jono = QueueFactory.connect("postgres:" + pooler.url() + "&jono.signal=poll")) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            CompletableFuture<?>[] pushes = new CompletableFuture<?>[SOME];
                            for (int k = 0; k < SOME; k++) {
                                pushes[k] = CompletableFuture.runAsync(() -> orders.push("x"));
                            }
                            CompletableFuture.allOf(pushes).join();
                            orders.size();
                        }
                    })
                    .hasStackTraceContaining("prepareThreshold=0")
                    .rootCause()
                    .hasMessageContaining("prepared statement");
        }
    }
}
