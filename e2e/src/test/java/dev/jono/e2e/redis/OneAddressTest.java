package dev.jono.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.testkit.server.RedisServer;
import dev.jono.testkit.server.TcpProxy;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two servers behind one address, such as a proxy, a virtual IP or a service. The replica becomes the primary, the old
 * primary becomes its replica, and the connections to the old primary stay open.
 */
@Tag("fault")
class OneAddressTest {
    private static final int MANY = 60;

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private RedisServer old;
    private RedisServer next;
    private TcpProxy address;

    @BeforeEach
    void start() {
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        old = RedisServer.start();
        next = RedisServer.builder().replicaOf(old).start();
        address = TcpProxy.to(old.host(), old.port());
        Awaitility.await().until(() -> next.info("master_link_status").equals("up"));
    }

    @AfterEach
    void end() {
        System.setErr(before);
        address.close();
        next.close();
        old.close();
    }

    private String url(String type) {
        return type + ":redis://127.0.0.1:" + address.port();
    }

    /** Waits until both servers have all data, and then swaps their roles. */
    private void changePlaces() {
        Awaitility.await().until(() -> old.info("master_repl_offset").equals(next.info("slave_repl_offset")));
        address.leadTo(next.host(), next.port());
        next.call("REPLICAOF", "NO", "ONE");
        old.call("REPLICAOF", next.host(), Integer.toString(next.port()));
    }

    private String warnings() {
        return log.toString(StandardCharsets.UTF_8);
    }

    private void assertToldOnce(String answer) {
        assertThat(warnings().lines().filter(line -> line.contains("not the primary")))
                .hasSize(1)
                .allMatch(line -> line.contains("WARN") && line.contains(answer));
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-oq", "redis-list"})
    void nothingIsRefusedAndNothingLost(String backend) {
        Set<String> consumed = ConcurrentHashMap.newKeySet();
        try (QueueFactory jono = QueueFactory.connect(url(backend))) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            MessageQueue<String> others = jono.queue("others", Codec.string());
            consume(orders, consumed);
            orders.push("first");
            Awaitility.await().until(() -> consumed.contains("first"));
            changePlaces();
            for (int i = 0; i < MANY; i++) {
                orders.push("message " + i);
            }
            Awaitility.await().until(() -> consumed.size() == MANY + 1);
            others.pause();
            assertThat(others.isPaused()).isTrue();
            others.resume();
            Awaitility.await("what was counted").until(() -> orders.stats().pushed() == MANY + 1);
            Awaitility.await("no client on the old primary").until(() -> clients(old) == 0);
            assertThat(next.callForList("KEYS", "keuss:stats:*")).isNotEmpty();
        }
        assertToldOnce("READONLY");
    }

    private static void consume(MessageQueue<String> queue, Set<String> consumed) {
        queue.popAsync(Duration.ofMinutes(1)).thenAccept(found -> {
            found.ifPresent(message -> consumed.add(message.payload()));
            consume(queue, consumed);
        });
    }

    @Test
    void signalsGoToTheNewPrimary() throws Exception {
        try (QueueFactory far = QueueFactory.builder("memory:far")
                        .signaller(url("redis-pubsub"))
                        .connect();
                QueueFactory same = QueueFactory.builder("memory:far")
                        .signaller(url("redis-pubsub"))
                        .connect()) {
            MessageQueue<String> pushing = far.queue("orders", Codec.string());
            MessageQueue<String> popping = same.queue("orders", Codec.string());
            CompletableFuture<Optional<Message<String>>> first = popping.popAsync(Duration.ofMinutes(1));
            Awaitility.await("a listener").until(() -> listed(old, "pubsub") == 1);
            pushing.push("a");
            assertThat(first.get(10, TimeUnit.SECONDS)).isPresent();
            changePlaces();
            Awaitility.await("the publisher to leave the old primary").until(() -> {
                pushing.push("b");
                return listed(old, "normal") == 1;
            });
        }
        assertToldOnce("role");
    }

    private static long clients(RedisServer server) {
        return listed(server, "normal") + listed(server, "pubsub");
    }

    /** The number of clients, without the one that asks. */
    private static long listed(RedisServer server, String type) {
        return String.valueOf(server.call("CLIENT", "LIST", "TYPE", type))
                .lines()
                .filter(line -> !line.isBlank() && !line.contains("cmd=client"))
                .count();
    }

    @Test
    void aReplicaThatStaysOneIsRefusedWithTheReason() {
        try (QueueFactory jono = QueueFactory.connect("redis-oq:" + next.uri() + "?jono.timeout=1s")) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            assertThat(orders.pushAsync("a")
                            .handle((done, failure) -> String.valueOf(failure))
                            .join())
                    .contains("READONLY")
                    .contains("primary");
            assertThat(orders.totalSize()).as("reading is allowed").isZero();
        }
        assertToldOnce("READONLY");
    }
}
