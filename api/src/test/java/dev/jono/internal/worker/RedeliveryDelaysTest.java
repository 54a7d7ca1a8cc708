package dev.jono.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.Codec;
import dev.jono.Handler;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.SnoozeException;
import dev.jono.StorageException;
import dev.jono.Worker;
import dev.jono.internal.fakes.Fakes;
import dev.jono.internal.fakes.Hooked;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that come back to a worker too soon, and handlers that do not end. */
final class RedeliveryDelaysTest {
    private final Hooked hooked = new Hooked();
    private final Fakes.Clock clock = new Fakes.Clock();
    private final QueueFactory jono = hooked.connect(hooked.builder().clock(clock));
    private final AtomicInteger deliveries = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream err = System.err;

    @BeforeEach
    void listen() {
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void close() {
        System.setErr(err);
        over.set(true);
        hooked.close();
    }

    private List<String> lines(String with) {
        return written.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains(with))
                .toList();
    }

    private MessageQueue<String> orders() {
        return jono.queue(
                "orders",
                Codec.string(),
                QueueOptions.builder().lease(Duration.ofSeconds(4)).build());
    }

    private void passUntilDelivered(int number) {
        await("delivery " + number).until(() -> {
            if (deliveries.get() < number) {
                clock.pass(Duration.ofMillis(500));
            }
            return deliveries.get() >= number;
        });
    }

    // ---- released at once -----------------------------------------------------------------------------------

    private static Handler<String> giveBack(String how) {
        return switch (how) {
            case "release" -> (payload, delivery) -> delivery.release();
            case "release after no time" -> (payload, delivery) -> delivery.release(Duration.ZERO);
            case "releaseAsync" ->
                (payload, delivery) -> delivery.releaseAsync(Duration.ZERO).join();
            default ->
                (payload, delivery) -> {
                    throw new SnoozeException(Duration.ZERO);
                };
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"release", "release after no time", "releaseAsync", "snooze"})
    void whatIsReleasedAtOnceAgainAndAgainComesBackLaterEachTime(String how) throws Exception {
        MessageQueue<String> orders = orders();
        Handler<String> handler = giveBack(how);
        Worker worker = jono.worker()
                .concurrency(2)
                .from(orders, (payload, delivery) -> {
                    assertThat(delivery.tries()).isZero();
                    deliveries.incrementAndGet();
                    handler.handle(payload, delivery);
                })
                .start();
        String id = orders.push("a").id();
        // The first time it comes back at once; then after 200 ms, doubled each time.
        for (int number = 2, pause = 200; number < 12; number++, pause *= 2) {
            await("it to be held back").until(() -> orders.counts().scheduled() == 1);
            assertThat(deliveries).hasValue(number);
            clock.pass(Duration.ofMillis(Math.min(10_000, pause) - 1));
            assertThat(deliveries).hasValue(number);
            clock.pass(Duration.ofMillis(1));
            int next = number + 1;
            await("the next delivery").until(() -> deliveries.get() == next);
        }
        assertThat(lines("WARN")).singleElement().asString().contains("'orders'", id, "10 s");
        assertThat(worker.stop(Duration.ofSeconds(5))).isTrue();
    }

    @Test
    void explicitDelayStaysWhatItIs() {
        MessageQueue<String> orders = orders();
        jono.worker()
                .from(orders, (payload, delivery) -> {
                    deliveries.incrementAndGet();
                    throw new SnoozeException(Duration.ofMillis(50));
                })
                .start();
        orders.push("a");
        for (int number = 1; number < 10; number++) {
            int delivered = number;
            await().until(() -> deliveries.get() == delivered && orders.counts().scheduled() == 1);
            clock.pass(Duration.ofMillis(50));
        }
        assertThat(lines("WARN")).isEmpty();
    }

    /** However often it has come back here. */
    @Test
    void whatAnotherConsumerTakesIsNotHeldBack() throws Exception {
        MessageQueue<String> orders = orders();
        CountDownLatch go = new CountDownLatch(1);
        AtomicBoolean released = new AtomicBoolean();
        jono.worker()
                .from(orders, (payload, delivery) -> {
                    delivery.release();
                    if (deliveries.incrementAndGet() == 5) {
                        released.set(true);
                        go.await();
                    }
                })
                .start();
        orders.push("a");
        passUntilDelivered(5);
        await().until(released::get);
        Reservation<String> elsewhere = orders.reserve(Duration.ZERO).orElseThrow();
        elsewhere.ack();
        go.countDown();
    }

    // ---- handlers that do not end ---------------------------------------------------------------------------

    /** As a read from a socket: no interrupt ends it. */
    private void hang() {
        deliveries.incrementAndGet();
        while (!over.get()) {
            LockSupport.parkNanos(1_000_000);
            Thread.interrupted();
        }
    }

    @Test
    void handlerThatDoesNotEndIsToldOfOnce() {
        MessageQueue<String> orders = orders();
        Worker worker = jono.worker()
                .name("clerk")
                .concurrency(2)
                .maxRuntime(Duration.ofSeconds(2))
                .from(orders, (payload, delivery) -> {
                    if (payload.equals("a")) {
                        Thread.currentThread().setName("stuck one");
                        hang();
                    } else {
                        deliveries.incrementAndGet();
                    }
                })
                .start();
        String id = orders.push("a").id();
        await().until(() -> deliveries.get() == 1);
        for (int i = 0; i < 100; i++) {
            clock.pass(Duration.ofMillis(500));
        }
        assertThat(lines("WARN"))
                .singleElement()
                .asString()
                .contains("clerk", id, "'orders'", "attempt 1", "stuck one");
        assertThat(lines("RedeliveryDelaysTest.hang(")).hasSize(1);
        assertThat(deliveries).hasValue(1);
        assertThat(worker.status().overtime()).isEqualTo(1);
        orders.push("b");
        await("the other place to be free").until(() -> deliveries.get() == 2);
        over.set(true);
        await().until(() -> worker.status().overtime() == 0);
    }

    /** It is delivered again when its handler has ended, by this process's other workers too; no try is lost. */
    @Test
    void messageOfAHandlerThatStillRunsIsHandedToNoWorkerHere() {
        MessageQueue<String> orders = orders();
        AtomicInteger tries = new AtomicInteger(-1);
        jono.worker()
                .maxRuntime(Duration.ofSeconds(2))
                .from(orders, (payload, delivery) -> {
                    tries.set(delivery.tries());
                    hang();
                })
                .start();
        orders.push("a");
        await().until(() -> deliveries.get() == 1);
        jono.worker()
                .concurrency(4)
                .from(orders, (payload, delivery) -> {
                    tries.set(delivery.tries());
                    deliveries.incrementAndGet();
                })
                .start();
        for (int i = 0; i < 100; i++) {
            clock.pass(Duration.ofMillis(500));
        }
        await("claims to land").until(() -> orders.counts().reserved() == 0);
        assertThat(deliveries).hasValue(1);
        over.set(true);
        passUntilDelivered(2);
        await().until(() -> orders.totalSize() == 0);
        assertThat(tries).hasValue(1);
    }

    @Test
    void messageWhoseLeaseLapsedWhileItsHandlerRunsIsNotHandedOutBesideIt() {
        MessageQueue<String> orders = orders();
        hooked.on(
                "extend",
                (request, real) ->
                        CompletableFuture.failedFuture(new StorageException("not primary", null, null, null)));
        jono.worker()
                .concurrency(4)
                .from(orders, (payload, delivery) -> {
                    if (delivery.tries() == 0) {
                        hang();
                    } else {
                        deliveries.incrementAndGet();
                    }
                })
                .start();
        orders.push("a");
        await().until(() -> deliveries.get() == 1);
        for (int i = 0; i < 100; i++) {
            clock.pass(Duration.ofMillis(500));
        }
        await("claims to land").until(() -> orders.counts().reserved() == 0);
        assertThat(deliveries).hasValue(1);
        over.set(true);
        passUntilDelivered(2);
    }

    @Test
    void whatAHandlerHasGivenBackItselfMayComeWhileItRunsOn() throws Exception {
        MessageQueue<String> orders = orders();
        jono.worker()
                .concurrency(2)
                .from(orders, (payload, delivery) -> {
                    if (delivery.tries() == 0) {
                        delivery.retry(Duration.ZERO);
                        hang();
                    } else {
                        deliveries.incrementAndGet();
                    }
                })
                .start();
        orders.push("a");
        await().until(() -> deliveries.get() == 2);
    }
}
