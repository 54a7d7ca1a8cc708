package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushResult;
import dev.jono.QueueCounts;
import dev.jono.QueueOptions;
import dev.jono.RemoveOutcome;
import dev.jono.Worker;
import dev.jono.WorkerStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers: leases while handlers run, and stop. */
abstract class WorkerStopRules extends ContractCase {
    private final CountDownLatch go = new CountDownLatch(1);
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger interrupted = new AtomicInteger();

    WorkerStopRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsReserve() {
        requires(Capability.RESERVE);
    }

    /** A handler that waits until the test releases it or the worker interrupts it. */
    private void work() throws InterruptedException {
        started.incrementAndGet();
        try {
            go.await();
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw e;
        }
    }

    private QueueOptions lease(double seconds) {
        return QueueOptions.builder().lease(seconds(seconds)).build();
    }

    private boolean stop(Worker worker, Duration timeout) {
        CompletableFuture<Boolean> stopped = inBackground(() -> worker.stop(timeout));
        return passUntilDone("the worker to stop", timeout.plus(seconds(60)), stopped);
    }

    @Test
    void heartbeatKeepsALeaseAliveBeyondItsLength() throws Exception {
        MessageQueue<String> queue = orders(jono(), lease(4));
        MessageQueue<String> remote = orders(client());
        Worker worker =
                jono().worker().from(queue, (payload, delivery) -> work()).start();
        queue.push("a");
        awaitReal("the handler to run", () -> started.get() == 1);
        for (int i = 0; i < 12; i++) {
            // Time passes in steps shorter than the interval of heartbeats.
            pass(seconds(1));
            // The extend may still be in flight when the clock has moved.
            awaitReal("the lease to be alive", () -> remote.counts().reserved() == 1);
        }
        go.countDown();
        awaitReal("the ack", () -> remote.totalSize() == 0);
        assertThat(started).hasValue(1);
        assertThat(stop(worker, seconds(5))).isTrue();
    }

    @Test
    void handlerThatRunsTooLongIsInterruptedAndRetried() {
        MessageQueue<String> queue = orders(jono(), lease(4));
        Worker worker = jono().worker()
                .maxRuntime(seconds(6))
                .from(queue, (payload, delivery) -> {
                    if (delivery.tries() == 0) {
                        work();
                    }
                })
                .start();
        queue.push("a");
        awaitReal("the handler to run", () -> started.get() == 1);
        passUntil("the interrupt", seconds(30), () -> interrupted.get() == 1);
        passUntil("the second delivery", seconds(60), () -> queue.totalSize() == 0);
        assertThat(stop(worker, seconds(5))).isTrue();
    }

    @Test
    void lostLeaseInterruptsTheHandler() {
        requires(Capability.REMOVE);
        Faults faults = new Faults();
        MessageQueue<String> remote = orders(client());
        var client = client(faults);
        MessageQueue<String> queue = orders(client, lease(3));
        // The message that returns when the lease is lost must not be handed out here again.
        Worker worker =
                client.worker().from(queue, (payload, delivery) -> work()).start();
        String id = remote.push("a").id();
        awaitReal("the handler to run", () -> started.get() == 1);
        faults.refuse(Call.EXTEND, request -> true);
        passUntil("the lease to end", seconds(30), () -> remote.remove(id) == RemoveOutcome.REMOVED);
        faults.accept(Call.EXTEND);
        passUntil("the interrupt", seconds(30), () -> interrupted.get() == 1);
        assertThat(remote.totalSize()).isZero();
        go.countDown();
        stop(worker, seconds(5));
    }

    @Test
    void stopWaitsForWhatRunsAndTakesNoMore() throws Exception {
        MessageQueue<String> queue = orders();
        Worker worker = jono().worker()
                .concurrency(2)
                .from(queue, (payload, delivery) -> work())
                .start();
        queue.pushAll(List.of("a", "b", "c", "d"));
        awaitReal("two to run", () -> started.get() == 2);
        CompletableFuture<Boolean> stopped = inBackground(() -> worker.stop(Duration.ofMinutes(1)));
        awaitReal("the stop to begin", () -> worker.status().state() == WorkerStatus.State.STOPPING);
        assertThat(stopped).isNotDone();
        go.countDown();
        awaitReal("the stop to end", stopped::isDone);
        assertThat(stopped.join()).isTrue();
        assertThat(worker.status().state()).isEqualTo(WorkerStatus.State.STOPPED);
        assertThat(started).hasValue(2);
        assertThat(interrupted).hasValue(0);
        assertThat(popAll(queue)).containsExactly("c", "d");
    }

    @Test
    void stopGivesBackWhatWasNotStartedUncounted() throws Exception {
        MessageQueue<String> queue = orders();
        queue.pushAll(List.of("a", "b", "c", "d", "e"));
        Worker worker = jono().worker()
                .prefetch(4)
                .from(queue, (payload, delivery) -> work())
                .start();
        awaitReal(
                "the worker to read ahead",
                () -> started.get() == 1 && queue.counts().reserved() > 1);
        CompletableFuture<Boolean> stopped = inBackground(() -> worker.stop(Duration.ofMinutes(1)));
        awaitReal("the rest to be given back", () -> queue.counts().equals(QueueCounts.of(4, 0, 1)));
        go.countDown();
        awaitReal("the stop to end", stopped::isDone);
        assertThat(stopped.join()).isTrue();
        List<Message<String>> rest = queue.pop(10, Duration.ZERO);
        assertThat(rest.stream().map(Message::payload)).containsExactly("b", "c", "d", "e");
        assertThat(rest).allMatch(m -> m.tries() == 0);
    }

    @Test
    void stopWaitsUntilWhatItsClaimBringsIsBack() throws Exception {
        orders().push("a");
        Faults faults = new Faults().hold(Call.CLAIM).hold(Call.RELEASE);
        var client = client(faults);
        Worker worker = client.worker()
                .from(orders(client), (payload, delivery) -> work())
                .start();
        awaitReal("a claim", () -> faults.held(Call.CLAIM) == 1);
        CompletableFuture<Boolean> stopped = inBackground(() -> worker.stop(Duration.ofMinutes(1)));
        awaitReal("the stop to begin", () -> worker.status().state() == WorkerStatus.State.STOPPING);
        faults.release(Call.CLAIM);
        awaitReal("the message to be given back", () -> faults.held(Call.RELEASE) == 1);
        assertThat(stopped).isNotDone();
        faults.release(Call.RELEASE);
        awaitReal("the stop to end", stopped::isDone);
        assertThat(stopped.join()).isTrue();
        assertThat(started).hasValue(0);
        assertThat(popAll(orders())).containsExactly("a");
    }

    @Test
    void stopInterruptsWhatDoesNotEndAndGivesItBackUncounted() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a");
        Worker worker =
                jono().worker().from(queue, (payload, delivery) -> work()).start();
        awaitReal("the handler to run", () -> started.get() == 1);
        assertThat(stop(worker, seconds(3))).isFalse();
        awaitReal("the interrupt", () -> interrupted.get() == 1);
        Message<String> back = popped(queue);
        assertThat(back.tries()).isZero();
    }

    @Test
    void stopGivesBackWhatItsExecutorHasNotBegun() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a");
        Queue<Runnable> begun = new ConcurrentLinkedQueue<>();
        Worker worker = jono().worker()
                .executor(begun::add)
                .from(queue, (payload, delivery) -> work())
                .start();
        awaitReal("the handler to be handed over", () -> begun.size() == 1);
        assertThat(stop(worker, seconds(1))).isFalse();
        assertThat(popped(queue).tries()).isZero();
        begun.forEach(Runnable::run);
        assertThat(started).hasValue(0);
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void stopWaitsUntilWhatIsBeingDecodedIsBack() throws Exception {
        orders().push("a");
        AtomicBoolean decoding = new AtomicBoolean();
        AtomicBoolean over = new AtomicBoolean();
        Codec<String> slow = Codec.string().map(text -> text, text -> {
            decoding.set(true);
            while (!over.get()) {
                if (Thread.currentThread().isInterrupted()) {
                    interrupted.set(1);
                }
            }
            return text;
        });
        Worker worker = jono().worker()
                .from(jono().queue("orders", slow), (payload, delivery) -> work())
                .start();
        awaitReal("the codec to be asked", decoding::get);
        CompletableFuture<Boolean> stopped = inBackground(() -> worker.stop(Duration.ZERO));
        awaitReal("the interrupt", () -> interrupted.get() == 1);
        assertThat(stopped).isNotDone();
        over.set(true);
        assertThat(passUntilDone("the worker to stop", seconds(60), stopped)).isFalse();
        assertThat(popped(orders()).tries()).isZero();
        assertThat(started).hasValue(0);
    }

    @Test
    void stopDoesNotWaitForeverForAHandlerThatIgnoresInterrupts() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a");
        AtomicBoolean over = new AtomicBoolean();
        Worker worker = jono().worker()
                .from(queue, (payload, delivery) -> {
                    started.incrementAndGet();
                    while (!over.get()) {
                        Thread.onSpinWait();
                    }
                })
                .start();
        try {
            awaitReal("the handler to run", () -> started.get() == 1);
            assertThat(stop(worker, seconds(3))).isFalse();
            awaitReal("the message to be given back", () -> queue.size() == 1);
        } finally {
            over.set(true);
        }
        assertThat(popped(queue).tries()).isZero();
    }

    @Test
    void stopOfAnIdleWorkerIsImmediateAndIdempotent() {
        Worker worker =
                jono().worker().from(orders(), (payload, delivery) -> work()).start();
        assertThat(worker.stop(Duration.ofMinutes(1))).isTrue();
        assertThat(worker.stop(Duration.ofMinutes(1))).isTrue();
        worker.close();
        orders().push("a");
        assertThat(orders().totalSize()).isEqualTo(1);
        assertThat(started).hasValue(0);
    }

    @Test
    void manyStartsAndStopsLoseNothing() {
        MessageQueue<String> queue = orders();
        AtomicInteger handled = new AtomicInteger();
        List<CompletableFuture<PushResult>> pushes = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            pushes.add(queue.pushAsync("a" + i));
            pushes.add(queue.pushAsync("b" + i));
            Worker worker = jono().worker()
                    .concurrency(2)
                    .prefetch(2)
                    .from(queue, (payload, delivery) -> handled.incrementAndGet())
                    .start();
            assertThat(worker.stop(Duration.ofSeconds(30))).isTrue();
        }
        Worker last = jono().worker()
                .from(queue, (payload, delivery) -> handled.incrementAndGet())
                .start();
        pushes.forEach(CompletableFuture::join);
        awaitReal("the rest", () -> queue.totalSize() == 0);
        assertThat(last.stop(Duration.ofSeconds(30))).isTrue();
        assertThat(handled).hasValue(60);
    }
}
