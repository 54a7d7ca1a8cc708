package dev.jono.e2e.redis;

import static dev.jono.e2e.faults.Waits.assertGets;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.e2e.faults.Waits;
import dev.jono.testkit.server.RedisServer;
import dev.jono.testkit.server.TcpProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Redis wakes, pauses and counts for queues of any backend: here for two factories on one SQLite file. */
class OtherBackendsTest {
    private static final int SOME = 20;

    private RedisServer redis;
    private TcpProxy proxy;
    private QueueFactory here;
    private QueueFactory there;

    @BeforeEach
    void connect(@TempDir Path folder) {
        redis = RedisServer.start();
        proxy = TcpProxy.to(redis.host(), redis.port());
        String url = "sqlite:" + folder.resolve("queues.db");
        here = connect(url, redis.uri());
        there = connect(url, "redis://127.0.0.1:" + proxy.port());
    }

    private static QueueFactory connect(String url, String redis) {
        return QueueFactory.builder(url)
                .signaller("redis-pubsub:" + redis)
                .stats("redis:" + redis)
                .queueDefaults(Waits.options())
                .connect();
    }

    @AfterEach
    void close() {
        there.close();
        here.close();
        proxy.close();
        redis.close();
    }

    private static MessageQueue<String> queue(QueueFactory of, String name) {
        return of.queue(name, Codec.string());
    }

    /** Pushes so many messages that the consumer cannot find them all by chance. */
    @Test
    void pushWakesAConsumerOfAnotherFactory() {
        for (int i = 0; i < SOME; i++) {
            CompletableFuture<Optional<Message<String>>> pop = Waits.pop(there, "orders");
            queue(here, "orders").push("m" + i);
            assertGets(pop, "m" + i);
        }
    }

    @Test
    void pauseStopsAConsumerOfAnotherFactory() {
        MessageQueue<String> orders = queue(here, "orders");
        CompletableFuture<Optional<Message<String>>> pop = Waits.pop(there, "orders");
        CompletableFuture<Optional<Message<String>>> behind = Waits.pop(there, "others");
        Waits.awaitQuiet(proxy);
        orders.pause();
        Waits.awaitQuiet(proxy);
        orders.push("a");
        queue(here, "others").push("behind");
        assertGets(behind, "behind");
        Waits.awaitQuiet(proxy);
        assertThat(pop).isNotDone();
        assertThat(orders.size()).isEqualTo(1);
        assertThat(queue(there, "orders").isPaused()).isTrue();
        orders.resume();
        assertGets(pop, "a");
    }

    @Test
    void countersOfBothAreSeenFromBoth() throws InterruptedException {
        MessageQueue<String> orders = queue(here, "orders");
        MessageQueue<String> same = queue(there, "orders");
        for (int i = 0; i < SOME; i++) {
            orders.push("m" + i);
            same.push("n" + i);
        }
        assertThat(same.pop(SOME + 1, Duration.ZERO)).hasSize(SOME + 1);
        assertThat(orders.pop(2, Duration.ZERO)).hasSize(2);
        for (MessageQueue<String> queue : List.of(orders, same)) {
            Awaitility.await("the counts of both")
                    .atMost(Waits.SOON)
                    .untilAsserted(() -> assertThat(queue.stats())
                            .hasToString("pushed " + 2 * SOME + ", popped " + (SOME + 3)
                                    + ", reserved 0, acked 0, retried 0, released 0, dead-lettered 0"));
        }
    }
}
