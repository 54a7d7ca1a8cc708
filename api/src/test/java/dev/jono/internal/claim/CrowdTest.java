package dev.jono.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.Interceptor;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.OutgoingMessage;
import dev.jono.PayloadKind;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Worker;
import dev.jono.internal.fakes.Hooked;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many queues, many threads, and whose thread runs what; over a storage that answers at once, on the caller's thread. */
final class CrowdTest {
    private final Hooked hooked = new Hooked();

    @AfterEach
    void close() {
        hooked.close();
    }

    /** Each worker pushes into the next queue's lane while the next one's worker pushes into its own: in a ring. */
    @Test
    void queuesThatFeedOneAnotherInARingNeitherDeadlockNorDeepenTheStack() {
        int queues = 8;
        int messages = 200;
        int rounds = 40;
        QueueFactory jono = hooked.connect();
        List<MessageQueue<Integer>> ring = new ArrayList<>();
        for (int i = 0; i < queues; i++) {
            ring.add(jono.queue("ring" + i, Integer.class));
        }
        AtomicInteger handled = new AtomicInteger();
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < queues; i++) {
            MessageQueue<Integer> next = ring.get((i + 1) % queues);
            workers.add(jono.worker()
                    .concurrency(2)
                    .prefetch(4)
                    .from(ring.get(i), (left, delivery) -> {
                        handled.incrementAndGet();
                        if (left > 0) {
                            next.push(left - 1);
                        }
                    })
                    .start());
        }
        for (int i = 0; i < messages; i++) {
            ring.get(i % queues).pushAsync(rounds - 1);
        }
        await().atMost(Duration.ofSeconds(40)).until(() -> handled.get() >= messages * rounds);
        assertThat(ManagementFactory.getThreadMXBean().findDeadlockedThreads()).isNull();
        await().until(() -> ring.stream().allMatch(queue -> queue.totalSize() == 0));
        workers.forEach(Worker::close);
        assertThat(handled).hasValue(messages * rounds);
    }

    @Test
    void longBacklogDoesNotDeepenTheStack() throws Exception {
        MessageQueue<Integer> orders = hooked.connect().queue("orders", Integer.class);
        List<CompletableFuture<Optional<Message<Integer>>>> pops = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            pops.add(orders.popAsync(Duration.ofMinutes(1)));
        }
        for (int i = 0; i < 2_000; i++) {
            orders.pushAsync(i);
        }
        CompletableFuture.allOf(pops.toArray(CompletableFuture[]::new)).join();
        assertThat(pops.stream().map(pop -> pop.join().orElseThrow().payload()))
                .doesNotHaveDuplicates()
                .hasSize(2_000);
    }

    @Test
    void whoIsCancelledInterruptedOrTimedOutAmongManyLosesAndDoublesNothing() throws Exception {
        int messages = 6_000;
        MessageQueue<Integer> orders = hooked.connect().queue("orders", Integer.class);
        Queue<Integer> got = new ConcurrentLinkedQueue<>();
        AtomicInteger done = new AtomicInteger();
        List<Thread> consumers = new ArrayList<>();
        CountDownLatch producing = new CountDownLatch(3);
        for (int i = 0; i < 6; i++) {
            Random random = new Random(i);
            Thread consumer = new Thread(() -> {
                while (done.get() == 0) {
                    try {
                        if (random.nextInt(3) == 0) {
                            orders.pop(1 + random.nextInt(5), Duration.ofNanos(random.nextInt(300_000)))
                                    .forEach(message -> got.add(message.payload()));
                        } else {
                            CompletableFuture<List<Message<Integer>>> pop =
                                    orders.popAsync(1 + random.nextInt(5), Duration.ofMillis(20));
                            pop.thenAccept(found -> found.forEach(message -> got.add(message.payload())));
                            if (random.nextBoolean()) {
                                pop.cancel(true);
                            } else {
                                pop.join();
                            }
                        }
                    } catch (InterruptedException again) {
                        // Somebody's interrupt: it ended the wait, and lost nothing.
                    }
                }
            });
            consumers.add(consumer);
            consumer.start();
        }
        for (int producer = 0; producer < 3; producer++) {
            int first = producer;
            new Thread(() -> {
                        for (int i = first; i < messages; i += 3) {
                            orders.push(i);
                        }
                        producing.countDown();
                    })
                    .start();
        }
        Random random = new Random(7);
        while (!producing.await(1, TimeUnit.MILLISECONDS)) {
            consumers.get(random.nextInt(consumers.size())).interrupt();
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> got.size() + orders.totalSize() == messages);
        done.set(1);
        for (Thread consumer : consumers) {
            consumer.join();
        }
        orders.pop(messages, Duration.ZERO).forEach(message -> got.add(message.payload()));
        await().until(() -> got.size() >= messages);
        assertThat(got).hasSize(messages).doesNotHaveDuplicates();
        assertThat(orders.totalSize()).isZero();
    }

    @Test
    void workerAtFullConcurrencyPushesToItsOwnFullQueue() {
        QueueFactory jono = hooked.connect();
        MessageQueue<Integer> orders = jono.queue(
                "orders",
                Integer.class,
                QueueOptions.builder().maxPendingMessages(1).build());
        AtomicInteger handled = new AtomicInteger();
        Worker worker = jono.worker()
                .concurrency(8)
                .from(orders, (left, delivery) -> {
                    handled.incrementAndGet();
                    for (int i = 0; i < left; i++) {
                        orders.push(left - 1);
                    }
                })
                .start();
        for (int i = 0; i < 8; i++) {
            orders.push(5);
        }
        // 1 + 5 + 5*4 + ... + 5! of each.
        await().atMost(Duration.ofSeconds(30)).until(() -> handled.get() == 8 * 326 && orders.totalSize() == 0);
        assertThat(worker.stop(Duration.ofSeconds(10))).isTrue();
    }

    /** Where the engine's and the drivers' threads are known by their names. */
    @Test
    void usersCodeNeverRunsOnTheEnginesThreads() {
        for (String step : List.of("insert", "claim", "take", "ack")) {
            hooked.on(step, Hooked.elsewhere("storage-" + step));
        }
        UsersCode code = new UsersCode();
        QueueFactory jono = hooked.connect(hooked.builder().interceptor(code));
        MessageQueue<String> orders = jono.queue("orders", code);
        for (int i = 0; i < 20; i++) {
            orders.pushAsync("a").thenRun(() -> code.note("continue"));
            CompletableFuture<?> popped =
                    orders.popAsync(Duration.ofSeconds(10)).thenRun(() -> code.note("continue"));
            orders.push("b");
            CompletableFuture<?> acked = orders.reserveAsync(Duration.ofSeconds(10))
                    .thenCompose(found -> found.orElseThrow().ackAsync())
                    .thenRun(() -> code.note("continue"));
            CompletableFuture.allOf(popped, acked).join();
        }
        AtomicInteger handled = new AtomicInteger();
        Worker worker = jono.worker()
                .from(orders, (payload, delivery) -> {
                    code.note("handle");
                    handled.incrementAndGet();
                })
                .start();
        orders.push("c");
        await().until(() -> handled.get() == 1);
        worker.close();
        assertThat(code.steps).containsExactlyInAnyOrder("encode", "decode", "intercept", "continue", "handle");
        assertThat(code.threads)
                .noneMatch(name -> name.startsWith("storage-")
                        || name.startsWith("jono-driver-")
                        || name.startsWith("jono-clock"));
    }

    /** Notes which of its steps have run, and on which threads. */
    private static final class UsersCode implements Codec<String>, Interceptor {
        final Set<String> steps = ConcurrentHashMap.newKeySet();
        final Set<String> threads = ConcurrentHashMap.newKeySet();

        void note(String step) {
            steps.add(step);
            threads.add(Thread.currentThread().getName());
        }

        @Override
        public OutgoingMessage push(OutgoingMessage message) {
            note("intercept");
            return message;
        }

        @Override
        public EncodedPayload encode(String payload, Headers headers) {
            note("encode");
            return EncodedPayload.of(PayloadKind.STRING, payload.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String decode(EncodedPayload payload, Headers headers) {
            note("decode");
            return payload.text();
        }
    }

    @Test
    void tenThousandIdleQueuesNeedNoThreads() {
        QueueFactory jono = hooked.connect();
        jono.queue("first", String.class).popAsync(Duration.ofHours(1));
        List<MessageQueue<String>> idle = new ArrayList<>();
        int before = Thread.activeCount();
        List<CompletableFuture<Optional<Message<String>>>> waits = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            MessageQueue<String> queue = jono.queue("idle" + i, String.class);
            idle.add(queue);
            waits.add(queue.popAsync(Duration.ofHours(1)));
        }
        assertThat(Thread.activeCount()).isLessThanOrEqualTo(before + 20);
        idle.get(9_999).push("a");
        await().until(() -> waits.get(9_999).isDone());
        assertThat(waits.subList(0, 9_999)).noneMatch(CompletableFuture::isDone);
    }
}
