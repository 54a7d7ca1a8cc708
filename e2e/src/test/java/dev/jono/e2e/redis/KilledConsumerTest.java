package dev.jono.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.testkit.ChildJvm;
import dev.jono.testkit.server.RedisServer;
import dev.jono.testkit.server.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code kill -9} of a consumer whose command is in flight. Redis is suspended while the consumer sends, so that it
 * cannot answer, and resumed when the consumer is dead.
 */
@Tag("fault")
class KilledConsumerTest {
    private static final int ALL = 12;
    private static final int DONE = 3;

    private static final Pattern CALLS = Pattern.compile("calls=(\\d+)");

    private static RedisServer redis;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @BeforeEach
    void clear() {
        redis.call("FLUSHALL");
    }

    @ParameterizedTest
    @CsvSource({
        "redis-list, pop",
        "redis-oq, pop",
        "redis-oq, reserve",
        "redis-oq, ack",
        "redis-oq, retry",
        "redis-oq, release",
        "redis-oq, extend",
        "redis-oq, reject",
        "redis-oq, move",
        "redis-oq, remove"
    })
    void losesAndDoublesNothing(String backend, String step) throws Exception {
        String url = backend + ":" + redis.uri();
        try (QueueFactory jono =
                QueueFactory.builder(url).queueDefaults(Steps.options()).connect()) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string(), Steps.options());
            List<String> pushed = IntStream.range(0, ALL).mapToObj(i -> "m" + i).toList();
            orders.pushAll(pushed);

            List<String> after;
            String underWay;
            try (ChildJvm child = ChildJvm.start(Steps.class, url, step)) {
                for (int i = 1; i <= DONE; i++) {
                    int begun = i;
                    child.await("step " + i, c -> c.lines("before ").size() == begun);
                    child.send("go");
                }
                child.await("the next step", c -> c.lines("before ").size() == DONE + 1);
                redis.suspend();
                child.send("go");
                awaitUnreadBytes();
                child.kill();
                redis.resume();
                after = child.lines("after ");
                underWay = child.lines("before ").get(DONE);
            }
            assertThat(after).hasSize(DONE);

            if (!backend.equals("redis-list")) {
                Awaitility.await("the leases to end")
                        .atMost(Duration.ofSeconds(20))
                        .until(() -> orders.counts().reserved() == 0);
            }
            List<String> left = popAll(orders);
            List<String> moved = step.equals("reject") ? dead(jono) : popAll(jono.queue("elsewhere", Codec.string()));
            assertOutcome(step, pushed, after, underWay, left, moved);
        }
    }

    /** Steps of several commands, the first of which only read. The consumer dies after this many commands. */
    @ParameterizedTest
    @CsvSource({"move, 1", "move, 2", "reject, 1", "reject, 2", "redrive, 1", "redrive, 2", "redrive, 3", "redrive, 4"})
    void losesAndDoublesNothingBetweenTheCommandsOfAStep(String step, int commands) throws Exception {
        List<String> pushed = IntStream.range(0, ALL).mapToObj(i -> "m" + i).toList();
        try (QueueFactory jono = QueueFactory.builder("redis-oq:" + redis.uri())
                .queueDefaults(Steps.options())
                .connect()) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.pushAll(pushed);
            String others = redis.info("connected_clients");
            try (TcpProxy proxy = TcpProxy.to("127.0.0.1", redis.port());
                    ChildJvm child = ChildJvm.start(Steps.class, "redis-oq:redis://127.0.0.1:" + proxy.port(), step)) {
                child.await("the step", c -> c.lines("before ").size() == 1);
                redis.call("CONFIG", "RESETSTAT");
                proxy.delay(Duration.ofMillis(200));
                child.send("go");
                Awaitility.await(commands + " scripts")
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(10))
                        .until(() -> scripts() >= commands);
                child.kill();
                assertThat(child.lines("after ")).isEmpty();
            }
            Awaitility.await("the connections of the dead to end")
                    .until(() -> redis.info("connected_clients").equals(others));
            List<String> all = new ArrayList<>();
            orders.browse(null, 100).forEach(message -> all.add(message.payload()));
            jono.queue("elsewhere", Codec.string()).browse(null, 100).forEach(message -> all.add(message.payload()));
            jono.deadLetters()
                    .browse(null, 100)
                    .forEach(message -> all.add(message.payload().text()));
            assertThat(all).containsExactlyInAnyOrderElementsOf(pushed);
        }
    }

    private static long scripts() {
        Matcher calls = CALLS.matcher(String.valueOf(redis.info("cmdstat_evalsha")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    /** Waits until the command has left the process: it is in the socket of Redis, which does not read. */
    private static void awaitUnreadBytes() {
        String port = String.format(":%04X ", redis.port());
        Awaitility.await("bytes that Redis has not read")
                .pollInterval(Duration.ofMillis(10))
                .until(() -> java.nio.file.Files.readAllLines(java.nio.file.Path.of("/proc/net/tcp")).stream()
                        .map(line -> line.trim().split(" +", -1))
                        // local address, remote address, state, bytes to send and to read
                        .anyMatch(f -> f.length > 4
                                && (f[1] + " ").endsWith(port)
                                && f[3].equals("01")
                                && !f[4].endsWith(":00000000")));
    }

    private static void assertOutcome(
            String step,
            List<String> pushed,
            List<String> after,
            String underWay,
            List<String> left,
            List<String> moved) {
        Set<String> all = new HashSet<>(left);
        all.addAll(moved);
        assertThat(all).as("no message is in two places").hasSize(left.size() + moved.size());
        switch (step) {
            case "pop" -> {
                all.addAll(after);
                assertThat(left).doesNotContainAnyElementsOf(after);
                assertThat(all)
                        .as("only messages that Redis gave to the dead process are gone")
                        .hasSize(ALL - 1);
                assertThat(pushed).containsAll(all);
            }
            case "ack", "remove" -> {
                assertThat(left).as("Redis has executed the sent command").doesNotContain(underWay);
                all.addAll(after);
                all.add(underWay);
                assertThat(all).containsExactlyInAnyOrderElementsOf(pushed);
            }
            case "move", "reject" -> {
                assertThat(moved).containsAll(after);
                assertThat(all).containsExactlyInAnyOrderElementsOf(pushed);
            }
            default -> assertThat(all).containsExactlyInAnyOrderElementsOf(pushed);
        }
    }

    private static List<String> popAll(MessageQueue<String> queue) throws InterruptedException {
        List<String> all = new ArrayList<>();
        for (Message<String> message : queue.pop(100, Duration.ZERO)) {
            all.add(message.payload());
        }
        assertThat(queue.totalSize()).isZero();
        return all;
    }

    private static List<String> dead(QueueFactory jono) throws InterruptedException {
        return jono.deadLetters().pop(100, Duration.ZERO).stream()
                .map(Message::payload)
                .map(EncodedPayload::text)
                .toList();
    }
}
