package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.JonoClock;
import dev.jono.spi.Backend;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.Due;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.DoubleFunction;

/**
 * Several consumers push, claim with short leases, and ack in lists, often after the end of the lease. Some leases are
 * extended, and some messages are given back. The model: each message is consumed once, and a message that was reported
 * acked or gone is never claimed again.
 */
final class CompetingAcks {
    private static final int PROCESSES = 3;
    private static final Duration PUSH_TIME = Duration.ofSeconds(2);
    private static final Duration TIME_LIMIT = Duration.ofSeconds(30);

    private final ContractSetup storage;
    private final DoubleFunction<Duration> seconds;
    private final JonoClock real = JonoClock.system();
    private final long startNanos = real.nanos();
    private final Set<String> pushed = ConcurrentHashMap.newKeySet();
    /** When the ack that consumed a message returned. */
    private final Map<String, Long> ackedNanos = new ConcurrentHashMap<>();
    /** When a message was reported gone. */
    private final Map<String, Long> goneNanos = new ConcurrentHashMap<>();

    CompetingAcks(ContractSetup storage, DoubleFunction<Duration> seconds) {
        this.storage = storage;
        this.seconds = seconds;
    }

    void run() {
        ExecutorService threads = Executors.newFixedThreadPool(PROCESSES);
        try {
            List<CompletableFuture<Void>> processes = new ArrayList<>();
            for (int i = 0; i < PROCESSES; i++) {
                long seed = i;
                processes.add(CompletableFuture.runAsync(() -> consume(new Random(seed)), threads));
            }
            processes.forEach(CompletableFuture::join);
        } finally {
            threads.shutdownNow();
        }
        assertThat(left())
                .as("messages that are gone, and that no ack reported as consumed")
                .isEmpty();
    }

    private void consume(Random random) {
        try (Backend backend = storage.openBackend()) {
            QueueStore store = backend.queue(QueueSpec.builder().name("orders").build());
            List<StoredMessage> held = new ArrayList<>();
            while (true) {
                long passed = real.nanos() - startNanos;
                boolean pushing = passed < PUSH_TIME.toNanos();
                assertThat(passed)
                        .as("time until all is consumed; left: %s", left())
                        .isLessThan(TIME_LIMIT.toNanos());
                if (pushing && random.nextBoolean()) {
                    push(store, 1 + random.nextInt(4));
                }
                List<StoredMessage> claimed = claim(store, random);
                held.addAll(claimed);
                if (claimed.isEmpty() || storage.clock().isPresent()) {
                    storage.pass(seconds.apply(0.05 * random.nextDouble()));
                }
                if (random.nextInt(10) < 8 ? held.size() > 8 : claimed.isEmpty()) {
                    settle(store, held, random);
                    held.clear();
                }
                if (!pushing && held.isEmpty() && isEmpty(store)) {
                    return;
                }
            }
        }
    }

    private static boolean isEmpty(QueueStore store) {
        CountsResult counts = StoreCase.counts(store);
        return counts.ready() + counts.scheduled() + counts.reserved() == 0;
    }

    private Set<String> left() {
        Set<String> left = new TreeSet<>(pushed);
        left.removeAll(ackedNanos.keySet());
        return left;
    }

    private void push(QueueStore store, int number) {
        pushed.addAll(StoreCase.insert(store, Collections.nCopies(number, "m").toArray(String[]::new)));
    }

    private List<StoredMessage> claim(QueueStore store, Random random) {
        long beforeNanos = real.nanos();
        List<StoredMessage> claimed = StoreCase.got(store.claim(ClaimRequest.builder()
                        .max(1 + random.nextInt(8))
                        .leaseMillis(
                                seconds.apply(0.02 + 0.2 * random.nextDouble()).toMillis())
                        .token(StoreCase.token())
                        .build()))
                .messages();
        for (StoredMessage message : claimed) {
            for (Map<String, Long> over : List.of(ackedNanos, goneNanos)) {
                Long overNanos = over.get(message.id());
                assertThat(overNanos == null || overNanos - beforeNanos > 0)
                        .as("message %s is claimed although it was reported consumed", message.id())
                        .isTrue();
            }
        }
        return claimed;
    }

    private void settle(QueueStore store, List<StoredMessage> held, Random random) {
        Collections.shuffle(held, random);
        List<StoredMessage> back = held.subList(0, random.nextInt(4) == 0 ? random.nextInt(held.size() + 1) : 0);
        if (random.nextInt(4) == 0) {
            StoreCase.got(store.extend(StoreCase.extending(seconds.apply(0.05), receipts(held))));
        }
        List<Outcome> released = StoreCase.got(store.release(StoreCase.releasing(back.stream()
                        .map(message -> ReleaseRequest.Item.of(
                                StoreCase.receipt(message),
                                random.nextBoolean() ? null : Due.now(),
                                random.nextBoolean()))
                        .toArray(ReleaseRequest.Item[]::new))))
                .outcomes();
        List<Outcome> acked = StoreCase.ack(store, receipts(held));
        for (int i = 0; i < acked.size(); i++) {
            if (i < released.size() && released.get(i) == Outcome.DONE) {
                assertThat(acked.get(i))
                        .as("ack of a message that was given back")
                        .isNotEqualTo(Outcome.DONE);
            }
            checkOutcome(held.get(i).id(), acked.get(i));
        }
    }

    private void checkOutcome(String id, Outcome outcome) {
        if (outcome == Outcome.DONE) {
            assertThat(ackedNanos.put(id, real.nanos()))
                    .as("message %s is reported consumed twice", id)
                    .isNull();
        } else if (outcome == Outcome.GONE) {
            goneNanos.put(id, real.nanos());
        }
    }

    private static Receipt[] receipts(List<StoredMessage> held) {
        return held.stream().map(StoreCase::receipt).toArray(Receipt[]::new);
    }
}
