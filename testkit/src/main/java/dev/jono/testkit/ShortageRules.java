package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Backoff;
import dev.jono.Capability;
import dev.jono.DeadLetter;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueFactoryBuilder;
import dev.jono.QueueOptions;
import dev.jono.RejectException;
import dev.jono.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The row "shortage": a timer or a thread that is refused once, wherever that happens, leaves nothing behind. The same
 * piece of work runs again and again, and each time the next call of the clock, or of the executor, is refused.
 */
@Tag("fault")
abstract class ShortageRules extends ContractCase {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int SIDE_BY_SIDE = 6;

    ShortageRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    @Timeout(value = 150, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void anyTimerMayBeRefused() {
        everyRefusal((client, refusals) ->
                client.clock(refusals.over(storage().clientClock())).connect());
    }

    @Test
    @Timeout(value = 150, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void anyTaskOfTheApplicationsExecutorMayBeRefused() {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            everyRefusal((client, refusals) ->
                    client.executor(refusals.over(threads)).connect());
        } finally {
            threads.shutdown();
        }
    }

    /** Where tests move the clock one run comes after the other, for each moves it; else several run side by side. */
    private void everyRefusal(Refusing refusing) {
        AtomicInteger which = new AtomicInteger();
        AtomicBoolean all = new AtomicBoolean();
        List<CompletableFuture<?>> lines = new ArrayList<>();
        for (int i = 0; i < (storage().clock().isPresent() ? 1 : SIDE_BY_SIDE); i++) {
            lines.add(inBackground(() -> {
                while (!all.get()) {
                    Refusals refusals = new Refusals(which.incrementAndGet());
                    refuseOne(refusing, refusals);
                    if (!refusals.happened()) {
                        all.set(true);
                    }
                }
                return "done";
            }));
        }
        lines.forEach(CompletableFuture::join);
        assertThat(which).as("calls that could be refused").hasValueGreaterThan(3);
    }

    private void refuseOne(Refusing refusing, Refusals refusals) throws Exception {
        try (QueueFactory client = refusing.connect(storage().client(), refusals)) {
            work(client, "refused" + refusals.which());
        } catch (Exception | AssertionError failure) {
            throw new AssertionError("with the refusal of call " + refusals.which(), failure);
        }
    }

    /** Connects with a clock or an executor that refuses. */
    private interface Refusing {
        QueueFactory connect(QueueFactoryBuilder builder, Refusals refusals);
    }

    private void work(QueueFactory client, String name) throws Exception {
        MessageQueue<String> queue = queue(
                client,
                name,
                QueueOptions.builder()
                        .pollInterval(seconds(1))
                        .lease(seconds(lease()))
                        .deadLetter(DeadLetter.after(25).queue(name + "-dead"))
                        .backoff(Backoff.fixed(seconds(0.1)))
                        .build());
        popWhatComes(queue);
        pauseAndResume(queue);
        if (declared(Capability.RESERVE)) {
            retryAndAck(queue);
            letWorkersDoIt(client, queue);
        }
        assertThat(queue.totalSize()).as("messages that are left in '%s'", name).isZero();
    }

    private void popWhatComes(MessageQueue<String> queue) {
        boolean schedules = declared(Capability.SCHEDULE);
        CompletableFuture<?> first = track(queue.popAsync(LONG));
        queue.push("now");
        passUntilDone("a waiting pop", LONG, first);
        CompletableFuture<?> second = track(queue.popAsync(LONG));
        queue.push("later", schedules ? PushOptions.delay(seconds(0.2)) : PushOptions.none());
        passUntilDone("a pop that waits for the due time", LONG, second);
        assertThat(passUntilDone("a look", LONG, queue.popAsync(Duration.ZERO))).isEmpty();
    }

    private void pauseAndResume(MessageQueue<String> queue) {
        CompletableFuture<?> waiting = track(queue.popAsync(LONG));
        queue.pause();
        CompletableFuture<?> pushed = queue.pushAsync("behind the pause");
        passUntilDone("a push to a paused queue", LONG, pushed);
        queue.resume();
        passUntilDone("a pop behind a pause", LONG, waiting);
    }

    private void retryAndAck(MessageQueue<String> queue) {
        queue.push("twice");
        passUntilDone("a reserve", LONG, queue.reserveAsync(LONG)).orElseThrow().retry();
        passUntilDone("a reserve behind a retry", LONG, queue.reserveAsync(LONG))
                .orElseThrow()
                .ack();
    }

    /** One is rejected, one fails once, and one takes longer than its lease. */
    private void letWorkersDoIt(QueueFactory client, MessageQueue<String> queue) {
        Set<String> done = ConcurrentHashMap.newKeySet();
        CompletableFuture<Void> longEnough = track(new CompletableFuture<>());
        Worker worker = client.worker()
                .concurrency(2)
                .from(queue, (payload, delivery) -> {
                    if (payload.equals("bad") && done.add("rejected")) {
                        throw new RejectException("bad");
                    }
                    if (payload.equals("unlucky") && delivery.attempt() == 1) {
                        throw new IllegalStateException("unlucky");
                    }
                    if (payload.equals("slow")) {
                        longEnough.join();
                    }
                    assertThat(done.add(payload))
                            .as("'%s' is handled once", payload)
                            .isTrue();
                })
                .start();
        queue.push("bad");
        queue.push("unlucky");
        queue.push("slow");
        passUntil("a message to be rejected", LONG, () -> done.contains("rejected"));
        passUntil("a message to be retried", LONG, () -> done.contains("unlucky"));
        for (int i = 0; i < lease() + 2; i++) {
            pass(seconds(1));
            awaitReal("the heartbeat to keep the lease", () -> queue.counts().reserved() == 1);
        }
        longEnough.complete(null);
        passUntil("the slow one", LONG, () -> done.contains("slow"));
        if (declared(Capability.MOVE)) {
            MessageQueue<String> dead = queue(client, queue.name() + "-dead", QueueOptions.none());
            passUntil("a dead letter", LONG, () -> dead.redrive() == 1);
            passUntil("the dead letter's second chance", LONG, () -> done.contains("bad"));
        }
        assertThat(passUntilDone("the worker to stop", LONG, inBackground(() -> worker.stop(LONG))))
                .as("the worker stops in time")
                .isTrue();
        long acked = declared(Capability.MOVE) ? 4 : 3;
        passUntil("all to be counted", LONG, () -> queue.stats().acked() == acked);
    }

    /** In what the setup takes for a second. A heartbeat has to keep up with a clock that a test moves. */
    private int lease() {
        return storage().clock().isPresent() ? 20 : 4;
    }
}
