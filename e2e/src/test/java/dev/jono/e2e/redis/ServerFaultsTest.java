package dev.jono.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.JonoException;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.OutcomeUnknownException;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.support.redis.RedisErrors;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Redis that is killed or stopped under load. */
@Tag("fault")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServerFaultsTest {
    private static final Duration WAIT = Duration.ofMillis(200);

    /** Pushes messages one by one until it is stopped. Records which were acknowledged, and when. */
    private static final class Producer {
        private final Map<String, Long> acknowledgedNanos = new ConcurrentHashMap<>();
        private final List<JonoException> failures = new CopyOnWriteArrayList<>();
        private final AtomicBoolean ended = new AtomicBoolean();
        private final CompletableFuture<Void> running;

        Producer(MessageQueue<String> queue, String name) {
            running = CompletableFuture.runAsync(() -> {
                for (int i = 0; !ended.get(); i++) {
                    String payload = name + i;
                    try {
                        queue.push(payload);
                        acknowledgedNanos.put(payload, System.nanoTime());
                    } catch (JonoException failure) {
                        failures.add(failure);
                    }
                }
            });
        }

        int count() {
            return acknowledgedNanos.size();
        }

        void awaitMore(int more) {
            int enough = count() + more;
            Awaitility.await("more pushes").atMost(Duration.ofSeconds(30)).until(() -> count() >= enough);
        }

        void end() {
            ended.set(true);
            running.join();
        }
    }

    private static List<String> popAll(MessageQueue<String> queue) throws InterruptedException {
        List<String> all = new ArrayList<>();
        for (List<Message<String>> some = queue.pop(500, Duration.ZERO);
                !some.isEmpty();
                some = queue.pop(500, Duration.ZERO)) {
            some.forEach(message -> all.add(message.payload()));
        }
        return all;
    }

    private static RedisServer.Builder appending(String fsync) {
        return RedisServer.builder().option("appendonly", "yes").option("appendfsync", fsync);
    }

    /** Kills and restarts Redis under load. Returns acknowledged messages that are lost. */
    private static Set<String> lost(RedisServer redis, String backend, Producer[] out) throws InterruptedException {
        try (QueueFactory jono = QueueFactory.connect(backend + ":" + redis.uri())) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            Producer producer = new Producer(orders, "m");
            out[0] = producer;
            producer.awaitMore(2_000);
            redis.kill();
            redis.restart();
            producer.awaitMore(200);
            producer.end();
            assertThat(producer.failures)
                    .as("failures have a clear reason, and name the queue")
                    .allMatch(failure -> "orders".equals(failure.queue()));
            List<String> found = popAll(orders);
            assertThat(found).doesNotHaveDuplicates();
            Set<String> lost = new HashSet<>(producer.acknowledgedNanos.keySet());
            found.forEach(lost::remove);
            return lost;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-oq", "redis-list"})
    void killLosesNothingThatWasSynced(String backend) throws Exception {
        try (RedisServer redis = appending("always").start()) {
            assertThat(lost(redis, backend, new Producer[1]))
                    .as("acknowledged and lost")
                    .isEmpty();
        }
    }

    /**
     * The system keeps what a killed process wrote. Only a host that dies loses the last second, which is not synced.
     */
    @ParameterizedTest
    @ValueSource(strings = {"redis-oq", "redis-list"})
    void killLosesLittleThatIsSyncedEverySecond(String backend) throws Exception {
        try (RedisServer redis = appending("everysec").start()) {
            Producer[] producer = new Producer[1];
            Set<String> lost = lost(redis, backend, producer);
            report("appendfsync everysec, kill -9, " + backend + ": " + lost.size() + " lost of " + producer[0].count()
                    + " acknowledged");
            Map<String, Long> when = producer[0].acknowledgedNanos;
            assertThat(spanOf(lost, when))
                    .as("from the first to the last that was lost")
                    .isLessThan(Duration.ofMillis(2_500));
        }
    }

    @SuppressWarnings("SystemOut") // a measurement for readers of the build's output
    private static void report(String line) {
        System.out.println(line);
    }

    private static Duration spanOf(Set<String> lost, Map<String, Long> when) {
        long first = lost.stream().mapToLong(when::get).min().orElse(0);
        long last = lost.stream().mapToLong(when::get).max().orElse(0);
        return Duration.ofNanos(last - first);
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-oq", "redis-list"})
    void serverThatStopsForFiveSecondsDelaysAndNothingElse(String backend) throws Exception {
        boolean reserves = backend.equals("redis-oq");
        try (RedisServer redis = RedisServer.start();
                QueueFactory producing = QueueFactory.connect(backend + ":" + redis.uri());
                QueueFactory consuming = QueueFactory.connect(backend + ":" + redis.uri())) {
            MessageQueue<String> orders = consuming.queue("orders", Codec.string());
            Producer one = new Producer(producing.queue("orders", Codec.string()), "a");
            Producer two = new Producer(producing.queue("orders", Codec.string()), "b");
            List<String> handled = new CopyOnWriteArrayList<>();
            List<RuntimeException> failures = new CopyOnWriteArrayList<>();
            AtomicBoolean ended = new AtomicBoolean();
            CompletableFuture<Void> consumer = CompletableFuture.runAsync(() -> {
                boolean more = true;
                while (more || !ended.get()) {
                    try {
                        more = next(orders, reserves).map(handled::add).orElse(false);
                    } catch (RuntimeException failure) {
                        failures.add(failure);
                    }
                }
            });
            one.awaitMore(100);
            redis.suspend();
            Executor later = CompletableFuture.delayedExecutor(5, TimeUnit.SECONDS);
            CompletableFuture.runAsync(redis::resume, later).join();
            one.awaitMore(100);
            two.awaitMore(100);
            one.end();
            two.end();
            ended.set(true);
            consumer.join();

            assertThat(one.failures).isEmpty();
            assertThat(two.failures).isEmpty();
            assertThat(failures).isEmpty();
            Set<String> all = new HashSet<>(one.acknowledgedNanos.keySet());
            all.addAll(two.acknowledgedNanos.keySet());
            assertThat(handled).doesNotHaveDuplicates();
            assertThat(new HashSet<>(handled)).isEqualTo(all);
            assertThat(orders.totalSize()).isZero();
            assertThat(consuming.deadLetters().totalSize()).isZero();
        }
    }

    private static Optional<String> next(MessageQueue<String> orders, boolean reserves) {
        try {
            if (!reserves) {
                return orders.pop(WAIT).map(Message::payload);
            }
            return orders.reserve(WAIT).map(held -> {
                held.ack();
                return held.payload();
            });
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** No caller waits longer than the operation timeout, and each learns whether its call may have had an effect. */
    @ParameterizedTest
    @ValueSource(strings = {"redis-oq", "redis-list"})
    void serverThatStaysStoppedEndsInAClearException(String backend) throws Exception {
        try (RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.builder(backend + ":" + redis.uri() + "?jono.timeout=500ms")
                        .queueDefaults(QueueOptions.builder()
                                .operationTimeout(Duration.ofSeconds(3))
                                .build())
                        .connect()) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.push("before");
            redis.suspend();
            CompletableFuture<?> push = orders.pushAsync("during").toCompletableFuture();
            Awaitility.await("the end").atMost(Duration.ofSeconds(10)).until(push::isDone);
            Throwable failure = push.handle((done, thrown) -> thrown).join();
            assertThat(RedisErrors.unwrap(failure))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("orders");
            redis.resume();
            Awaitility.await("Redis again").ignoreExceptions().until(() -> orders.totalSize() >= 1);
            assertThat(popAll(orders)).startsWith("before").doesNotHaveDuplicates();
        }
    }
}
