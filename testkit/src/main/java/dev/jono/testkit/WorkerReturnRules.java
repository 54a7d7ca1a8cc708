package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.SnoozeException;
import dev.jono.Worker;
import dev.jono.WorkerStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers: messages that return at once, handlers that do not end, and a factory that is closed before its workers. */
abstract class WorkerReturnRules extends WorkerCase {
    private final AtomicInteger deliveries = new AtomicInteger();

    WorkerReturnRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    /** Lets time pass from one delivery to the next, but not while a message is being given back. */
    private void passUntilDelivered(MessageQueue<String> queue, int from, int to, IntSupplier delivered) {
        for (int number = from; number <= to; number++) {
            int next = number;
            awaitReal(
                    "the message to be delayed", () -> queue.counts().scheduled() == 1 || delivered.getAsInt() >= next);
            passUntil("delivery " + next, Duration.ofSeconds(15), () -> delivered.getAsInt() >= next);
        }
    }

    // ---- released at once -----------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsReleasedAgainAndAgainIsHeldBackUncounted(boolean snoozes) {
        MessageQueue<String> queue = orders();
        List<Long> times = Collections.synchronizedList(new ArrayList<>());
        List<Integer> tries = Collections.synchronizedList(new ArrayList<>());
        start(jono().worker().concurrency(2).from(queue, (payload, delivery) -> {
            times.add(storage().clientClock().nanos());
            tries.add(delivery.tries());
            if (times.size() > 5) {
                return;
            }
            if (snoozes) {
                throw new SnoozeException(Duration.ZERO);
            }
            delivery.release();
        }));
        queue.push("a");
        passUntilDelivered(queue, 3, 6, times::size);
        awaitReal("the ack", () -> queue.totalSize() == 0);
        assertThat(times).hasSize(6);
        assertThat(tries).containsOnly(0);
        // First at once, then after 0.2, 0.4, 0.8 and 1.6 s. A storage may have a resolution of milliseconds.
        assertThat(Duration.ofNanos(times.get(5) - times.get(0))).isGreaterThan(Duration.ofMillis(2_900));
    }

    @Test
    void whatIsReleasedMayBeTakenElsewhereAtOnce() throws Exception {
        MessageQueue<String> queue = orders();
        CountDownLatch go = new CountDownLatch(1);
        Worker worker = jono().worker()
                .from(queue, (payload, delivery) -> {
                    delivery.release();
                    if (deliveries.incrementAndGet() == 4) {
                        go.await();
                    }
                })
                .start();
        queue.push("a");
        passUntilDelivered(queue, 3, 4, deliveries::get);
        Reservation<String> elsewhere = reserved(orders(client()));
        elsewhere.ack();
        go.countDown();
        assertThat(worker.stop(Duration.ofSeconds(20))).isTrue();
    }

    @Test
    void explicitDelayIsNotLengthened() {
        requires(Capability.SCHEDULE);
        MessageQueue<String> queue = orders();
        start(jono().worker().from(queue, (payload, delivery) -> {
            if (deliveries.incrementAndGet() < 8) {
                throw new SnoozeException(Duration.ofMillis(20));
            }
        }));
        queue.push("a");
        for (int number = 2; number <= 8; number++) {
            int next = number;
            awaitReal("the snooze", () -> queue.counts().scheduled() == 1 || deliveries.get() >= next);
            pass(Duration.ofMillis(25));
            awaitReal("the next delivery", () -> deliveries.get() >= next);
        }
        awaitReal("the ack", () -> queue.totalSize() == 0);
        assertThat(deliveries).hasValue(8);
    }

    // ---- handlers that do not end ---------------------------------------------------------------------------

    @Test
    void messageOfAHandlerThatDoesNotEndIsNotHandedOutAgainHere() {
        // Long, because a test that moves the clock must not end the lease before the release is stored.
        double lease = storage().clock().isPresent() ? 20 : 2;
        MessageQueue<String> queue =
                orders(jono(), QueueOptions.builder().lease(seconds(lease)).build());
        AtomicBoolean over = new AtomicBoolean();
        List<Integer> tries = Collections.synchronizedList(new ArrayList<>());
        Worker worker =
                start(jono().worker().concurrency(2).maxRuntime(seconds(2)).from(queue, (payload, delivery) -> {
                    handled.add(payload);
                    if (payload.equals("a")) {
                        tries.add(delivery.tries());
                        while (!over.get()) {
                            LockSupport.parkNanos(1_000_000); // ignores interrupts
                            Thread.interrupted();
                        }
                    }
                }));
        try {
            queue.push("a");
            awaitReal("the handler to run", () -> handled.size() == 1);
            passUntil(
                    "the handler to be overtime",
                    seconds(30),
                    () -> worker.status().overtime() == 1);
            for (int i = 0; i < 20; i++) {
                pass(seconds(lease / 4));
                assertThat(queue.totalSize()).isEqualTo(1);
            }
            assertThat(tries).as("deliveries").hasSize(1);
            queue.push("b");
            awaitReal("the other handler to run", () -> handled.contains("b"));
        } finally {
            over.set(true);
        }
        passUntil("the message to be handled", Duration.ofMinutes(1), () -> queue.totalSize() == 0);
        assertThat(tries)
                .as("tries, without the deliveries that were given back")
                .containsExactly(0, 1);
        awaitReal("the late handler to end", () -> worker.status().overtime() == 0);
    }

    // ---- closed first ---------------------------------------------------------------------------------------

    @Test
    void factoryThatIsClosedStopsItsWorkersFirst() throws Exception {
        QueueFactory client = client();
        CountDownLatch go = new CountDownLatch(1);
        Worker worker = client.worker()
                .prefetch(1)
                .from(orders(client), (payload, delivery) -> {
                    handled.add(payload);
                    go.await();
                })
                .start();
        orders().pushAll(numbered(3));
        awaitReal("the handler to run", () -> handled.size() == 1);
        CompletableFuture<String> closed = inBackground(() -> {
            client.close();
            return "closed";
        });
        awaitReal("the stop to begin", () -> worker.status().state() == WorkerStatus.State.STOPPING);
        assertThat(closed).isNotDone();
        go.countDown();
        awaitReal("the close to end", closed::isDone);
        assertThat(worker.status().state()).isEqualTo(WorkerStatus.State.STOPPED);
        assertThat(worker.status().succeeded()).isEqualTo(1);
        assertThat(jono().queue("orders", Codec.string()).pop(5, Duration.ZERO))
                .hasSize(2)
                .allMatch(message -> message.tries() == 0);
    }
}
