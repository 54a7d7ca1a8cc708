package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Backoff;
import dev.jono.Capability;
import dev.jono.DeadLetter;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueCounts;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The row "order per key", under competition: workers of several clients, some of whose handlers fail. */
abstract class KeyedWorkRules extends WorkerCase {
    private static final int CLIENTS = 3;
    private static final int KEYS = 12;
    private static final int EACH = 15;

    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final AtomicInteger done = new AtomicInteger();
    private final Map<String, KeyCheck> checks = new ConcurrentHashMap<>();

    KeyedWorkRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsKeys() {
        requires(Capability.KEYED);
    }

    /** Checks one key: at most {@code maxHeld} holders, and, if that is 1, no message before the earlier ones are done. */
    private final class KeyCheck {
        private final String key;
        private final int maxHeld;
        private final Set<Object> holders = ConcurrentHashMap.newKeySet();
        private final AtomicInteger next = new AtomicInteger();

        KeyCheck(String key, int maxHeld) {
            this.key = key;
            this.maxHeld = maxHeld;
        }

        void begin(Object holder, int number) {
            holders.add(holder);
            if (holders.size() > maxHeld) {
                violations.add(
                        key + number + " is handled while " + holders.size() + " handlers have messages of the key");
            }
            if (maxHeld == 1 && next.get() != number) {
                violations.add(key + number + " is handled when " + next + " messages of the key are done");
            }
        }

        void end(Object holder, boolean succeeded) {
            if (succeeded) {
                next.incrementAndGet();
                done.incrementAndGet();
            }
            holders.remove(holder);
        }
    }

    private KeyCheck check(Reservation<String> message, int maxHeld) {
        return checks.computeIfAbsent(message.key().orElseThrow(), key -> new KeyCheck(key, maxHeld));
    }

    private static int number(Reservation<String> message) {
        return Integer.parseInt(message.payload());
    }

    /** Whether the handler of a delivery fails: some messages fail once, some twice. */
    private static boolean fails(Reservation<String> message) {
        return message.tries()
                < Math.floorMod(message.payload().hashCode() + message.key().hashCode(), 7) - 4;
    }

    private MessageQueue<String> keyed(QueueFactory client, int maxPerKey) {
        return orders(
                client,
                QueueOptions.builder()
                        .keyed(maxPerKey)
                        .deadLetter(DeadLetter.never())
                        .backoff(Backoff.fixed(Duration.ZERO))
                        .build());
    }

    private void pushAll(MessageQueue<String> queue) {
        push(queue, 0, EACH);
    }

    private void push(MessageQueue<String> queue, int from, int to) {
        for (int i = from; i < to; i++) {
            for (int k = 0; k < KEYS; k++) {
                queue.push(String.valueOf(i), PushOptions.none().key("k" + k + "-"));
            }
        }
    }

    private void assertAllDoneInOrder() {
        workUntil("all messages to be done", () -> done.get() >= KEYS * EACH);
        assertThat(violations).isEmpty();
        assertThat(done).hasValue(KEYS * EACH);
        awaitReal("the last acks", () -> orders().counts().equals(QueueCounts.of(0, 0, 0)));
    }

    private void startWorkers(int maxPerKey) {
        startWorkers(maxPerKey, this::client);
    }

    private void startWorkers(int maxPerKey, Supplier<QueueFactory> opener) {
        for (int c = 0; c < CLIENTS; c++) {
            QueueFactory client = opener.get();
            start(client.worker().concurrency(4).from(keyed(client, maxPerKey), (payload, message) -> {
                KeyCheck check = check(message, maxPerKey);
                check.begin(message, number(message));
                boolean fails = fails(message);
                check.end(message, !fails);
                if (fails) {
                    throw new IllegalStateException("a test's");
                }
            }));
        }
    }

    @Test
    void competingWorkersKeepTheOrderOfEachKey() {
        MessageQueue<String> queue = keyed(jono(), 1);
        push(queue, 0, EACH / 2); // a backlog, so that later messages of a key could overtake one that fails
        startWorkers(1);
        push(queue, EACH / 2, EACH);
        assertAllDoneInOrder();
    }

    @Test
    void competingWorkersHoldNoMoreThanSoManyMessagesOfAKey() {
        MessageQueue<String> queue = keyed(jono(), 2);
        startWorkers(2);
        pushAll(queue);
        assertAllDoneInOrder();
    }

    @Test
    void lostRepliesDoNotBreakTheOrderOfAKey() {
        requiresRepeatable();
        startWorkers(
                1,
                () -> client(new Faults()
                        .loseReplies(Call.CLAIM, 3)
                        .loseReplies(Call.ACK, 3)
                        .loseReplies(Call.RELEASE, 3)));
        MessageQueue<String> queue = keyed(client(new Faults().loseReplies(Call.INSERT, 5)), 1);
        CompletableFuture<?> pushed = inBackground(() -> {
            pushAll(queue);
            return "pushed";
        });
        workUntil("the pushes", pushed::isDone);
        pushed.join();
        assertAllDoneInOrder();
    }

    @Test
    void competingBatchesKeepTheOrderOfEachKey() {
        MessageQueue<String> queue = keyed(jono(), 1);
        pushAll(queue);
        for (int c = 0; c < CLIENTS; c++) {
            QueueFactory client = client();
            start(client.worker().concurrency(8).fromBatch(keyed(client, 1), 4, this::handle));
        }
        assertAllDoneInOrder();
    }

    /** The worker does not get messages of a batch again before their handler has ended, nor those that follow them. */
    @Test
    void batchEndsBeforeAMessageThatIsStillBeingHandled() {
        MessageQueue<String> queue = keyed(jono(), 1);
        CountDownLatch retried = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        List<List<String>> batches = new CopyOnWriteArrayList<>();
        PushOptions key = PushOptions.none().key("a");
        queue.pushAll(List.of("1", "2", "3"), key);
        start(jono().worker().concurrency(8).fromBatch(queue, 4, batch -> {
            batches.add(batch.stream().map(Reservation::payload).toList());
            if (batch.get(0).tries() == 0 && batch.get(0).payload().equals("1")) {
                queue.push("4", key);
                batch.get(0).retry();
                retried.countDown();
                mayEnd.await();
            }
        }));
        workUntil("the retry", () -> retried.getCount() == 0);
        workUntil("the second delivery", () -> batches.size() >= 2);
        assertThat(List.copyOf(batches).subList(0, 2)).containsExactly(List.of("1", "2", "3"), List.of("1"));
        mayEnd.countDown();
        workUntil("all messages to be done", () -> queue.totalSize() == 0);
        assertThat(batches.stream().skip(1).flatMap(List::stream)).containsExactly("1", "2", "3", "4");
    }

    /** The head of a key is poison: its handler always fails. */
    @Test
    void headThatAlwaysFailsReachesTheDeadLettersAndItsKeyGoesOn() throws Exception {
        MessageQueue<String> queue = orders(
                jono(),
                QueueOptions.builder()
                        .keyed()
                        .backoff(Backoff.fixed(Duration.ZERO))
                        .deadLetter(DeadLetter.after(3).queue("dead"))
                        .build());
        Queue<String> handled = new ConcurrentLinkedQueue<>();
        for (String payload : List.of("poison", "1", "2")) {
            queue.push(payload, PushOptions.none().key("failing"));
            queue.push(payload.replace("poison", "0"), PushOptions.none().key("healthy"));
        }
        start(jono().worker().concurrency(4).from(queue, (payload, message) -> {
            handled.add(message.key().orElseThrow() + " " + payload);
            if (payload.equals("poison")) {
                throw new IllegalStateException("a test's");
            }
        }));
        workUntil("an empty queue", () -> queue.totalSize() == 0);
        assertThat(handled.stream().filter(each -> each.startsWith("failing")))
                .containsExactly("failing poison", "failing poison", "failing poison", "failing 1", "failing 2");
        assertThat(handled.stream().filter(each -> each.startsWith("healthy")))
                .containsExactly("healthy 0", "healthy 1", "healthy 2");
        Reservation<String> dead = reserved(queue("dead"));
        assertThat(dead.payload()).isEqualTo("poison");
        assertThat(dead.key()).contains("failing");
        dead.ack();
    }

    /** After a failure the later messages of the key have gone back too. */
    private void handle(List<Reservation<String>> batch) {
        Set<String> failed = new HashSet<>();
        for (Reservation<String> message : batch) {
            KeyCheck check = check(message, 1);
            if (!failed.contains(check.key)) {
                check.begin(batch, number(message));
                boolean fails = fails(message);
                check.end(batch, !fails);
                if (fails) {
                    failed.add(check.key);
                    message.retry();
                } else {
                    message.ack();
                }
            }
        }
    }
}
