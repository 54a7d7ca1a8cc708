package dev.jono.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.StorageException;
import dev.jono.internal.fakes.Hooked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The end of a factory loses nothing, leaves nobody waiting, and doubles nothing. */
final class CloseTest {
    private final Hooked hooked = new Hooked();

    @AfterEach
    void close() {
        hooked.close();
    }

    @Test
    void whoBeginsToWaitAtThatMomentDoesNotWaitForEver() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            QueueFactory jono = hooked.connect();
            MessageQueue<String> orders = jono.queue("orders", String.class);
            CyclicBarrier both = new CyclicBarrier(2);
            Thread waiter = new Thread(() -> {
                try {
                    both.await();
                    orders.pop(Duration.ofHours(1));
                } catch (Exception closed) {
                    // As it came first: empty, or refused.
                }
            });
            waiter.setDaemon(true);
            waiter.start();
            threads.add(waiter);
            both.await();
            jono.close();
        }
        for (Thread waiter : threads) {
            waiter.join(Duration.ofSeconds(20).toMillis());
            assertThat(waiter.isAlive()).isFalse();
        }
    }

    /** Of what was popped for somebody who has left, this process has the only copy. */
    @Test
    void whatCouldNotBePutBackAtOnceIsPutBackBeforeTheEnd() {
        QueueFactory look = hooked.bystander();
        QueueFactory jono = hooked.connect();
        MessageQueue<String> orders = jono.queue("orders", String.class);
        orders.push("a");
        CompletableFuture<Object> reply = new CompletableFuture<>();
        hooked.on("take", (request, real) -> {
            Object taken = real.call();
            return reply.thenCompose(go -> (CompletableFuture<?>) taken);
        });
        AtomicInteger restores = new AtomicInteger();
        hooked.on(
                "restore",
                (request, real) -> restores.incrementAndGet() < 3
                        ? CompletableFuture.failedFuture(new StorageException("not primary", null, null, null))
                        : real.call());
        CompletableFuture<Optional<Message<String>>> waiting = orders.popAsync(Duration.ofHours(1));
        waiting.cancel(true);
        reply.complete(null);
        await().until(() -> restores.get() > 0);
        jono.close();
        assertThat(look.queue("orders", String.class).size()).isEqualTo(1);
    }

    /** Extend, store there, remove here: the close waits for all three. */
    @Test
    void moveInSeveralStepsIsFinished() throws Exception {
        QueueFactory look = hooked.bystander();
        hooked.on("movesAtomically", (from, real) -> false);
        for (String slow : List.of("extend", "insert", "ack")) {
            QueueFactory jono = hooked.connect();
            MessageQueue<String> orders = jono.queue("orders" + slow, String.class);
            orders.push("a");
            Reservation<String> held = orders.reserve(Duration.ZERO).orElseThrow();
            hooked.on(slow, (request, real) -> {
                CompletableFuture<Object> late = new CompletableFuture<>();
                CompletableFuture.delayedExecutor(150, TimeUnit.MILLISECONDS).execute(() -> {
                    try {
                        late.complete(((CompletableFuture<?>) real.call()).join());
                    } catch (Exception failure) {
                        late.completeExceptionally(failure);
                    }
                });
                return late;
            });
            CompletableFuture<Void> moved = held.moveToAsync("elsewhere" + slow);
            jono.close();
            hooked.off(slow);
            assertThat(moved).as(slow).succeedsWithin(Duration.ofSeconds(10));
            assertThat(look.queue("orders" + slow, String.class).totalSize())
                    .as(slow)
                    .isZero();
            assertThat(look.queue("elsewhere" + slow, String.class).size())
                    .as(slow)
                    .isEqualTo(1);
        }
    }

    @Test
    void theLastBatchIsCounted() {
        QueueFactory look = hooked.connect();
        for (int i = 0; i < 50; i++) {
            QueueFactory jono = hooked.connect();
            MessageQueue<String> orders = jono.queue("orders" + i, String.class);
            for (int n = 0; n < 200; n++) {
                orders.pushAsync("m");
            }
            jono.close();
            assertThat(look.queue("orders" + i, String.class).stats().pushed()).isEqualTo(200);
        }
    }

    @Test
    void whatIsHandedOverIsCountedByThen() {
        QueueFactory look = hooked.connect();
        for (int i = 0; i < 20; i++) {
            QueueFactory jono = hooked.connect();
            MessageQueue<String> orders = jono.queue("orders" + i, String.class);
            orders.push("m");
            CompletableFuture<Void> closed = orders.popAsync(Duration.ZERO).thenAccept(got -> jono.close());
            assertThat(closed).succeedsWithin(Duration.ofSeconds(10));
            assertThat(look.queue("orders" + i, String.class).stats().popped()).isEqualTo(1);
        }
    }

    @Test
    void handlerThatOutlivesTheFactoryEndsQuietly() {
        QueueFactory jono = hooked.connect(hooked.builder()
                .queueDefaults(QueueOptions.builder()
                        .operationTimeout(Duration.ofMillis(300))
                        .build()));
        MessageQueue<String> orders = jono.queue(
                "orders",
                String.class,
                QueueOptions.builder().lease(Duration.ofSeconds(1)).build());
        List<Throwable> uncaught = java.util.Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<Object> go = new CompletableFuture<>();
        AtomicInteger running = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        jono.worker()
                .executor(task -> {
                    Thread thread = new Thread(() -> {
                        task.run();
                        ended.incrementAndGet();
                    });
                    thread.setDaemon(true);
                    thread.setUncaughtExceptionHandler((t, failure) -> {
                        uncaught.add(failure);
                        ended.incrementAndGet();
                    });
                    thread.start();
                })
                .from(orders, (payload, delivery) -> {
                    running.incrementAndGet();
                    go.join();
                })
                .start();
        orders.push("a");
        await().until(() -> running.get() == 1);
        jono.close();
        go.complete("on");
        await().until(() -> ended.get() == 1);
        assertThat(uncaught).isEmpty();
    }
}
