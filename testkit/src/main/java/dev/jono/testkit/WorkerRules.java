package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Backoff;
import dev.jono.Capability;
import dev.jono.DeadLetter;
import dev.jono.Headers;
import dev.jono.MessageQueue;
import dev.jono.QueueOptions;
import dev.jono.RejectException;
import dev.jono.SnoozeException;
import dev.jono.Worker;
import dev.jono.WorkerStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Workers: how a delivery ends, and how many handlers run. */
abstract class WorkerRules extends WorkerCase {
    WorkerRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    void returnIsAnAck() {
        MessageQueue<String> queue = orders();
        Worker worker = start(jono().worker().from(queue, (payload, delivery) -> handled.add(payload)));
        queue.pushAll(numbered(20));
        awaitReal("all to be handled", () -> queue.totalSize() == 0);
        assertThat(handled).containsExactlyElementsOf(numbered(20));
        awaitReal("the status", () -> worker.status().succeeded() == 20);
        assertThat(worker.status().failed()).isZero();
        assertThat(worker.status().state()).isEqualTo(WorkerStatus.State.RUNNING);
    }

    @Test
    void deliveryThatItsHandlerGivesBackIsNoSuccess() {
        MessageQueue<String> queue = orders();
        Worker worker = start(jono().worker().from(queue, (payload, delivery) -> {
            if (delivery.tries() == 0) {
                delivery.retry(Duration.ZERO);
            } else {
                delivery.ack();
            }
        }));
        queue.push("a");
        awaitReal(
                "the status",
                () -> worker.status().succeeded() + worker.status().failed() == 2);
        assertThat(worker.status().failed()).isEqualTo(1);
    }

    @Test
    void throwIsARetryWithTheQueuesBackoff() {
        requires(Capability.SCHEDULE);
        MessageQueue<String> queue = orders(
                jono(),
                QueueOptions.builder().backoff(Backoff.fixed(seconds(5))).build());
        List<Long> times = new ArrayList<>();
        Worker worker = start(jono().worker().from(queue, (payload, delivery) -> {
            times.add(storage().clientClock().nanos());
            if (delivery.tries() == 0) {
                throw new IllegalStateException("a test's");
            }
        }));
        queue.push("a");
        passUntil("the second delivery", seconds(100), () -> queue.totalSize() == 0);
        assertThat(times).hasSize(2);
        assertThat(Duration.ofNanos(times.get(1) - times.get(0))).isGreaterThanOrEqualTo(atLeast(5));
        awaitReal("the status", () -> worker.status().failed() == 1);
    }

    @Test
    void lastFailureEndsInTheDeadLetterWithItsText() throws Exception {
        MessageQueue<String> queue = orders(
                jono(), QueueOptions.builder().deadLetter(DeadLetter.after(3)).build());
        start(jono().worker().from(queue, (payload, delivery) -> {
            handled.add(payload);
            throw new IllegalStateException("delivery " + delivery.attempt());
        }));
        queue.push("a");
        passUntil("the dead letter", seconds(60), () -> jono().deadLetters().totalSize() == 1);
        assertThat(handled).hasSize(3);
        var dead = popped(jono().deadLetters());
        assertThat(dead.headers().string(Headers.DL_ERROR)).contains("delivery 3");
        assertThat(dead.headers().get(Headers.DL_REASON)).isEqualTo("limit");
    }

    @Test
    void rejectExceptionEndsInTheDeadLetterAtOnce() throws Exception {
        MessageQueue<String> queue = orders();
        start(jono().worker().from(queue, (payload, delivery) -> {
            throw new RejectException("hopeless");
        }));
        queue.push("a");
        awaitReal("the dead letter", () -> jono().deadLetters().totalSize() == 1);
        var dead = popped(jono().deadLetters());
        assertThat(dead.headers().get(Headers.DL_REASON)).isEqualTo("rejected");
        assertThat(dead.headers().get(Headers.DL_ERROR)).isEqualTo("hopeless");
    }

    @Test
    void snoozeExceptionComesBackLaterUncounted() {
        requires(Capability.SCHEDULE);
        MessageQueue<String> queue = orders();
        List<Integer> tries = new ArrayList<>();
        start(jono().worker().from(queue, (payload, delivery) -> {
            tries.add(delivery.tries());
            if (tries.size() == 1) {
                throw new SnoozeException(seconds(5));
            }
        }));
        queue.push("a");
        awaitReal("the snooze", () -> queue.counts().scheduled() == 1);
        passUntil("the second delivery", seconds(100), () -> queue.totalSize() == 0);
        assertThat(tries).containsExactly(0, 0);
    }

    @Test
    void handlerMaySettleItself() {
        MessageQueue<String> queue = orders();
        start(jono().worker().from(queue, (payload, delivery) -> {
            if (handled.isEmpty()) {
                handled.add(payload);
                delivery.release();
            } else {
                handled.add(payload);
                delivery.ack();
                throw new IllegalStateException("ignored, because the message is settled");
            }
        }));
        queue.push("a");
        awaitReal("the second delivery", () -> queue.totalSize() == 0);
        assertThat(handled).containsExactly("a", "a");
    }

    @Test
    void batchHandlerSettlesWhatItLikesAndTheRestFollowsItsEnd() {
        MessageQueue<String> queue = orders();
        ConcurrentLinkedQueue<Integer> sizes = new ConcurrentLinkedQueue<>();
        queue.pushAll(numbered(10));
        start(jono().worker().concurrency(10).fromBatch(queue, 10, batch -> {
            sizes.add(batch.size());
            for (var r : batch) {
                handled.add(r.payload() + "/" + r.tries());
                if (r.payload().equals("m3") && r.tries() == 0) {
                    r.retry(Duration.ZERO);
                }
                if (r.payload().equals("m4")) {
                    r.ack();
                }
            }
            if (batch.stream().anyMatch(r -> r.payload().equals("m5") && r.tries() == 0)) {
                throw new IllegalStateException("unsettled ones are retried");
            }
        }));
        passUntil("all to be done", seconds(60), () -> queue.totalSize() == 0);
        assertThat(sizes.peek()).isEqualTo(10);
        assertThat(handled)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 20)
                        .filter(i -> i != 14)
                        .mapToObj(i -> "m" + i % 10 + "/" + i / 10)
                        .toList());
    }

    @Test
    void batchMayNotBeLargerThanTheConcurrency() {
        assertThatThrownBy(() -> start(jono().worker().concurrency(3).fromBatch(orders(), 4, batch -> {})))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void noMoreRunThanTheConcurrencyAndNoFewer() {
        MessageQueue<String> queue = orders();
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Worker worker = start(jono().worker().concurrency(5).from(queue, (payload, delivery) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            go.await();
            running.decrementAndGet();
        }));
        queue.pushAll(numbered(30));
        awaitReal("five to run", () -> running.get() == 5);
        assertThat(worker.status().running()).isEqualTo(5);
        assertThat(queue.counts().reserved())
                .as("reserved: without prefetch, what runs")
                .isEqualTo(5);
        go.countDown();
        awaitReal("all to be handled", () -> queue.totalSize() == 0);
        assertThat(most).hasValue(5);
    }

    @Test
    void limitedHandlersLetMessagesGatherForTheNextBatch() {
        MessageQueue<String> queue = orders();
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ConcurrentLinkedQueue<Integer> sizes = new ConcurrentLinkedQueue<>();
        start(jono().worker().concurrency(20).maxHandlers(2).fromBatch(queue, 10, batch -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            sizes.add(batch.size());
            go.await();
            running.decrementAndGet();
        }));
        for (int i = 1; i <= 2; i++) {
            int handlers = i;
            queue.push("alone");
            awaitReal("a handler for " + handlers, () -> running.get() == handlers);
        }
        numbered(10).forEach(queue::push);
        assertThat(queue.counts().reserved())
                .as("reserved: without prefetch, what runs")
                .isEqualTo(2);
        go.countDown();
        awaitReal("all to be handled", () -> queue.totalSize() == 0);
        assertThat(most).hasValue(2);
        assertThat(sizes).as("sizes of the batches").hasSizeLessThan(12).contains(1);
    }

    @Test
    void workerWithoutAQueueIsRefused() {
        assertThatThrownBy(() -> jono().worker().start()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void messagePushedElsewhereWakesAnIdleWorker() {
        start(jono().worker().concurrency(3).from(orders(), (payload, delivery) -> handled.add(payload)));
        orders(client()).push("a");
        awaitReal("the message to be handled", () -> !handled.isEmpty());
        awaitReal("the ack", () -> orders().totalSize() == 0);
    }
}
