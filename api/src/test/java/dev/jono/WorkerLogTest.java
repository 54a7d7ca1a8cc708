package dev.jono;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What fails may fail a thousand times: each failed delivery is one line of the log, and no stack trace. */
class WorkerLogTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream before = System.err;

    @BeforeEach
    void listen() {
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        System.setErr(before);
    }

    private List<String> warnings() {
        return written.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    /** Pushes one message, and lets a handler fail on it until the queue is empty. */
    private String failing(DeadLetter limit, Handler<String> handler) {
        try (QueueFactory jono =
                QueueFactory.builder("memory:" + UUID.randomUUID()).connect()) {
            MessageQueue<String> queue = jono.queue(
                    "orders",
                    Codec.string(),
                    QueueOptions.builder()
                            .deadLetter(limit)
                            .backoff(Backoff.fixed(Duration.ofMillis(7)))
                            .build());
            String id = queue.push("a").id();
            Worker worker = jono.worker().name("clerk").from(queue, handler).start();
            Awaitility.await().until(() -> queue.totalSize() == 0);
            assertThat(worker.stop(Duration.ofSeconds(10))).isTrue();
            return id;
        }
    }

    @Test
    void aFailedDeliverySaysWhatFailedAndWhatComesNext() {
        String id = failing(DeadLetter.after(2), (payload, delivery) -> {
            throw new IllegalStateException("no\n  stock");
        });
        assertThat(warnings()).hasSize(2);
        assertThat(warnings().get(0))
                .contains("worker 'clerk': message " + id + " of queue 'orders' failed at attempt 1:"
                        + " java.lang.IllegalStateException: no stock; it is tried again in 7ms");
        assertThat(warnings().get(1)).contains("attempt 2", "it is in the dead-letter queue '__deadletter__'");
    }

    @Test
    void aRejectedMessageAndAnErrorAreOneLineToo() {
        failing(DeadLetter.never(), (payload, delivery) -> {
            if (delivery.tries() == 0) {
                throw new LinkageError("no class");
            }
            throw new RejectException("no order at all");
        });
        assertThat(warnings()).hasSize(2);
        assertThat(warnings().get(0)).contains("java.lang.LinkageError: no class; it is tried again in");
        assertThat(warnings().get(1)).contains("no order at all; it is in the dead-letter queue '__deadletter__'");
    }

    @Test
    void aHandlerThatSettledBeforeItFailedIsToldOf() {
        failing(DeadLetter.never(), (payload, delivery) -> {
            delivery.ack();
            throw new IllegalStateException("too late");
        });
        assertThat(warnings()).singleElement().asString().contains("too late; the handler had settled it");
    }

    @Test
    void snoozingIsNoFailure() {
        failing(DeadLetter.never(), (payload, delivery) -> {
            if (delivery.dueAt().equals(delivery.pushedAt().orElseThrow())) {
                throw new SnoozeException(Duration.ofMillis(5));
            }
        });
        assertThat(warnings()).isEmpty();
    }

    /** The thread that stops a worker and those of its handlers, which it interrupts, both want to give messages back. */
    @Test
    void whatAStopInterruptsIsGivenBackOnce() throws Exception {
        try (QueueFactory jono =
                QueueFactory.builder("memory:" + UUID.randomUUID()).connect()) {
            MessageQueue<String> queue = jono.queue("orders", Codec.string());
            queue.pushAll(Collections.nCopies(16, "a"));
            for (int i = 0; i < 100; i++) {
                CountDownLatch started = new CountDownLatch(16);
                Worker worker = jono.worker()
                        .concurrency(16)
                        .from(queue, (payload, delivery) -> {
                            started.countDown();
                            while (!Thread.currentThread().isInterrupted()) {
                                LockSupport.park();
                            }
                        })
                        .start();
                assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(worker.stop(Duration.ZERO)).isFalse();
                Awaitility.await()
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(2))
                        .until(() -> queue.size() == 16);
            }
        }
        assertThat(warnings()).isEmpty();
    }
}
