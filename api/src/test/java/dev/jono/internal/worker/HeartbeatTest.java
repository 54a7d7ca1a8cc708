package dev.jono.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Worker;
import dev.jono.internal.fakes.Fakes;
import dev.jono.internal.fakes.Hooked;
import dev.jono.spi.ExtendRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lease that a worker holds is kept alive, whatever else the worker holds. */
final class HeartbeatTest {
    private final Hooked hooked = new Hooked();
    private final CountDownLatch go = new CountDownLatch(1);

    @AfterEach
    void close() {
        go.countDown();
        hooked.close();
    }

    /** The long lease comes first, and with it the plan for the next beat. */
    @Test
    void theShorterOfTwoLeasesIsKeptToo() {
        Fakes.Clock clock = new Fakes.Clock();
        QueueFactory jono = hooked.connect(hooked.builder().clock(clock));
        MessageQueue<String> slow = jono.queue(
                "slow",
                String.class,
                QueueOptions.builder().lease(Duration.ofMinutes(10)).build());
        MessageQueue<String> quick = jono.queue(
                "quick",
                String.class,
                QueueOptions.builder().lease(Duration.ofSeconds(4)).build());
        AtomicInteger running = new AtomicInteger();
        Worker worker = jono.worker()
                .concurrency(2)
                .from(slow, (payload, delivery) -> hold(running))
                .from(quick, (payload, delivery) -> hold(running))
                .start();
        slow.push("a");
        await().until(() -> running.get() == 1);
        quick.push("b");
        await().until(() -> running.get() == 2);
        for (int i = 0; i < 40; i++) {
            clock.pass(Duration.ofMillis(500));
            assertThat(quick.counts().ready())
                    .as("given up after " + i + " half seconds")
                    .isZero();
        }
        go.countDown();
        await().until(() -> quick.totalSize() == 0 && slow.totalSize() == 0);
        assertThat(worker.stop(Duration.ofSeconds(5))).isTrue();
        assertThat(running).hasValue(2);
    }

    @Test
    void whileTheStorageDoesNotAnswerOneExtendOfAMessageWaitsAtMost() {
        Fakes.Clock clock = new Fakes.Clock();
        QueueFactory jono = hooked.connect(hooked.builder().clock(clock));
        MessageQueue<String> orders = jono.queue(
                "orders",
                String.class,
                QueueOptions.builder().lease(Duration.ofSeconds(4)).build());
        AtomicInteger running = new AtomicInteger();
        AtomicBoolean down = new AtomicBoolean(true);
        AtomicInteger extended = new AtomicInteger();
        AtomicInteger largest = new AtomicInteger();
        hooked.on("extend", (request, real) -> {
            int receipts = ((ExtendRequest) request).receipts().size();
            largest.accumulateAndGet(receipts, Math::max);
            if (down.get()) {
                return new CompletableFuture<Object>();
            }
            extended.addAndGet(receipts);
            return real.call();
        });
        jono.worker()
                .concurrency(3)
                .from(orders, (payload, delivery) -> hold(running))
                .start();
        orders.pushAll(List.of("a", "b", "c"));
        await().until(() -> running.get() == 3);
        for (int i = 0; i < 60; i++) {
            clock.pass(Duration.ofSeconds(1));
        }
        down.set(false);
        for (int i = 0; i < 20; i++) {
            clock.pass(Duration.ofSeconds(1));
        }
        assertThat(extended).as("extended again").hasPositiveValue();
        assertThat(largest).as("receipts that travel together").hasValue(3);
        go.countDown();
        await().until(() -> orders.totalSize() == 0);
    }

    private void hold(AtomicInteger running) throws InterruptedException {
        running.incrementAndGet();
        go.await();
    }
}
