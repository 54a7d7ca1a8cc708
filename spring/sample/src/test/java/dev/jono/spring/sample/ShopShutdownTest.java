package dev.jono.spring.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.testkit.ChildJvm;
import dev.jono.testkit.server.RedisServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stops the shop by SIGTERM while 200 orders a second come in and are shipped. Then a second shop ships the remaining ones. Every accepted
 * order is shipped, and none that the first shop has acked is shipped by the second. The queues are on the application's own connection to
 * Redis, which Spring closes.
 */
@Tag("fault")
class ShopShutdownTest {
    private static final int RATE = 200;
    private static final Duration PHASE = Duration.ofSeconds(10);
    private static final int TERMINATED = 143;

    @TempDir
    Path folder;

    private final Set<Integer> accepted = ConcurrentHashMap.newKeySet();
    private final AtomicInteger lastId = new AtomicInteger();

    private ChildJvm start(RedisServer redis, int port, String journal) {
        ChildJvm shop = ChildJvm.start(
                ShopApplication.class,
                "--server.port=" + port,
                "--jono.url=",
                "--spring.data.redis.url=" + redis.uri(),
                "--shop.journal=" + folder.resolve(journal),
                "--spring.lifecycle.timeout-per-shutdown-phase=" + PHASE.toSeconds() + "s");
        shop.await("the shop started", child -> child.lines().stream().anyMatch(line -> line.contains("Started Shop")));
        return shop;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private List<Integer> shipped(String journal) throws IOException {
        Path file = folder.resolve(journal);
        return Files.exists(file)
                ? Files.readAllLines(file).stream().map(Integer::valueOf).toList()
                : List.of();
    }

    private void order(ShopClient client) {
        int id = lastId.incrementAndGet();
        try {
            if (client.order(id)) {
                accepted.add(id);
            }
        } catch (IOException closed) {
            // not accepted, or not known to be: the shop is going
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @Timeout(90)
    void nothingIsLostAndNothingThatWasAckedIsShippedAgain() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            ScheduledExecutorService customers = Executors.newScheduledThreadPool(8);
            try (QueueFactory outside = QueueFactory.connect("redis-oq:" + redis.uri())) {
                MessageQueue<Order> orders = outside.queue("orders", Order.class);
                int port = freePort();
                try (ChildJvm first = start(redis, port, "first")) {
                    ShopClient client = new ShopClient(port);
                    for (int customer = 0; customer < 8; customer++) {
                        customers.scheduleAtFixedRate(
                                () -> order(client), 0, 8 * 1_000_000L / RATE, TimeUnit.MICROSECONDS);
                    }
                    await().atMost(Duration.ofSeconds(30))
                            .until(() -> shipped("first").size() >= 3 * RATE);
                    long began = System.nanoTime();
                    first.terminate();
                    assertThat(first.join()).isEqualTo(TERMINATED);
                    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(PHASE);
                    assertQuiet(first);
                }
                customers.shutdownNow();
                assertThat(customers.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
                checkRest(redis, orders);
            }
        }
    }

    private void checkRest(RedisServer redis, MessageQueue<Order> orders) throws Exception {
        Set<Integer> remaining = orders.browse(null, 100_000).stream()
                .map(message -> message.payload().id())
                .collect(Collectors.toSet());
        assertThat(orders.reservedSize()).as("given back").isZero();
        Set<Integer> acked = new HashSet<>(shipped("first"));
        acked.removeAll(remaining);

        try (ChildJvm second = start(redis, freePort(), "second")) {
            await().atMost(Duration.ofSeconds(30)).until(() -> orders.totalSize() == 0);
            second.terminate();
            assertThat(second.join()).isEqualTo(TERMINATED);
            assertQuiet(second);
        }
        Set<Integer> all = new HashSet<>(shipped("first"));
        all.addAll(shipped("second"));
        assertThat(accepted).hasSizeGreaterThan(3 * RATE / 2);
        assertThat(all).as("shipped").containsAll(accepted);
        assertThat(shipped("second")).as("acked before").doesNotContainAnyElementsOf(acked);
        assertThat(shipped("first")).as("shipped twice").doesNotHaveDuplicates();
    }

    private static void assertQuiet(ChildJvm shop) {
        assertThat(shop.lines()).noneMatch(line -> line.contains(" ERROR ") || line.contains(" WARN "));
        assertThat(shop.problems()).isEmpty();
    }
}
