package dev.jono.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.jono.MessageQueue;
import dev.jono.QueueClosedException;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.StorageException;
import dev.jono.Worker;
import dev.jono.WorkerBuilder;
import dev.jono.WorkerStatus;
import dev.jono.internal.fakes.Hooked;
import dev.jono.pipeline.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A factory that is closed before its workers stops them first. */
final class CloseWorkersTest {
    private final Hooked hooked = new Hooked();
    private final QueueFactory look = hooked.bystander();
    private final AtomicInteger started = new AtomicInteger();
    private final CountDownLatch go = new CountDownLatch(1);

    @AfterEach
    void close() {
        go.countDown();
        hooked.close();
    }

    private QueueFactory jono(Duration operationTimeout) {
        return hooked.connect(hooked.builder()
                .queueDefaults(QueueOptions.builder()
                        .operationTimeout(operationTimeout)
                        .build()));
    }

    private long total() {
        return look.queue("orders", String.class).totalSize();
    }

    private void work() throws InterruptedException {
        started.incrementAndGet();
        go.await();
    }

    @Test
    void whatRunsMayEndAndIsAcked() {
        QueueFactory jono = jono(Duration.ofSeconds(30));
        MessageQueue<String> orders = jono.queue("orders", String.class);
        MessageQueue<String> piped = jono.queue("piped", String.class);
        Worker worker =
                jono.worker().from(orders, (payload, delivery) -> work()).start();
        jono.pipeline("shop")
                .sink(piped, (payload, message) -> {
                    work();
                    return Outcome.drop();
                })
                .start();
        orders.pushAll(List.of("a", "b"));
        piped.push("c");
        await().until(() -> started.get() == 2);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(jono::close);
        await().until(() -> worker.status().state() == WorkerStatus.State.STOPPING);
        assertThat(closed).isNotDone();
        go.countDown();
        assertThat(closed).succeedsWithin(Duration.ofSeconds(10));
        assertThat(started).as("claims no more").hasValue(2);
        assertThat(worker.status().state()).isEqualTo(WorkerStatus.State.STOPPED);
        assertThat(worker.status().succeeded()).isEqualTo(1);
        assertThat(total()).isEqualTo(1);
        assertThat(look.queue("piped", String.class).totalSize()).isZero();
    }

    @Test
    void whatDoesNotEndIsGivenBackAndNotCountedAsSucceeded() throws Exception {
        QueueFactory jono = jono(Duration.ofMillis(300));
        Worker worker = jono.worker()
                .from(jono.queue("orders", String.class), (payload, delivery) -> {
                    started.incrementAndGet();
                    while (go.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                })
                .start();
        look.queue("orders", String.class).push("a");
        jono.queue("orders", String.class).push("b");
        await().until(() -> started.get() == 1);
        jono.close();
        assertThat(look.queue("orders", String.class).pop(2, Duration.ZERO))
                .hasSize(2)
                .allMatch(message -> message.tries() == 0);
        go.countDown();
        await().until(() -> worker.status().running() == 0);
        assertThat(worker.status().succeeded()).isZero();
    }

    @Test
    void whatCouldNotBeAckedIsNotCountedAsSucceeded() {
        QueueFactory jono = jono(Duration.ofSeconds(10));
        MessageQueue<String> orders = jono.queue("orders", String.class);
        hooked.on(
                "ack",
                (request, real) ->
                        CompletableFuture.failedFuture(new StorageException("not primary", null, null, null)));
        Worker worker = jono.worker()
                .from(orders, (payload, delivery) -> started.incrementAndGet())
                .start();
        orders.push("a");
        await().until(() -> worker.status().failed() == 1);
        assertThat(worker.status().succeeded()).isZero();
    }

    /** It cannot wait for itself. */
    @Test
    void handlerMayCloseItsFactory() throws Exception {
        QueueFactory jono = jono(Duration.ofMinutes(10));
        MessageQueue<String> orders = jono.queue("orders", String.class);
        Worker worker = jono.worker()
                .from(orders, (payload, delivery) -> {
                    jono.close();
                    started.incrementAndGet();
                })
                .start();
        orders.push("a");
        await().until(() -> started.get() == 1);
        await().until(() -> worker.status().running() == 0);
        assertThat(look.queue("orders", String.class).pop(Duration.ZERO))
                .hasValueSatisfying(message -> assertThat(message.tries()).isZero());
    }

    @Test
    void noWorkerStartsAfterIt() {
        QueueFactory jono = jono(Duration.ofSeconds(10));
        WorkerBuilder builder = jono.worker().from(jono.queue("orders", String.class), (payload, delivery) -> work());
        jono.close();
        assertThatThrownBy(builder::start).isInstanceOf(QueueClosedException.class);
    }
}
