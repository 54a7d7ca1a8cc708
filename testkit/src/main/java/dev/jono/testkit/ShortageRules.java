package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Backoff;
import dev.jono.Capability;
import dev.jono.DeadLetter;
import dev.jono.JonoClock;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A timer or a thread that is refused once leaves nothing undone, wherever the refusal happens. The tests repeat the
 * same work, and each time refuse the next call of the clock or of the executor: in memory each call, elsewhere each third
 * one. They run in real time, because the engine sets a refused timer again when a thread is free, however far a test has
 * moved its clock meanwhile.
 */
@Tag("fault")
abstract class ShortageRules extends ContractCase {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final int SIDE_BY_SIDE = 6;
    /** The calls are those of the engine, which are the same on each storage. */
    private static final int STEP_ON_SHARED_STORAGES = 3;

    ShortageRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    @Timeout(value = 150, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void anyTimerMayBeRefused() {
        everyRefusal((client, refused) ->
                client.clock(refused.over(JonoClock.system())).connect());
    }

    @Test
    @Timeout(value = 150, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void anyTaskOfTheApplicationsExecutorMayBeRefused() {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            everyRefusal((client, refused) -> client.clock(JonoClock.system())
                    .executor(refused.over(threads))
                    .connect());
        } finally {
            threads.shutdown();
        }
    }

    private void everyRefusal(Refusing refusing) {
        int step = declared(Capability.SHARED) ? STEP_ON_SHARED_STORAGES : 1;
        AtomicInteger which = new AtomicInteger(1);
        AtomicBoolean all = new AtomicBoolean();
        List<CompletableFuture<?>> lines = new ArrayList<>();
        for (int i = 0; i < SIDE_BY_SIDE; i++) {
            lines.add(inBackground(() -> {
                while (!all.get()) {
                    RefusedCall refused = new RefusedCall(which.getAndAdd(step));
                    refuseOne(refusing, refused);
                    if (!refused.happened()) {
                        all.set(true);
                    }
                }
                return "done";
            }));
        }
        lines.forEach(CompletableFuture::join);
        assertThat(which).as("calls that the test could refuse").hasValueGreaterThan(3);
    }

    private void refuseOne(Refusing refusing, RefusedCall refused) throws Exception {
        try (QueueFactory client = refusing.connect(storage().client(), refused)) {
            work(client, "refused" + refused.which());
        } catch (Exception | AssertionError failure) {
            throw new AssertionError("with the refusal of call " + refused.which(), failure);
        }
    }

    /** Connects with a clock or an executor that refuses a call. */
    private interface Refusing {
        QueueFactory connect(QueueFactoryBuilder builder, RefusedCall refused);
    }

    private void work(QueueFactory client, String name) throws Exception {
        MessageQueue<String> queue = queue(
                client,
                name,
                QueueOptions.builder()
                        .pollInterval(Duration.ofMillis(250))
                        .lease(LEASE)
                        .deadLetter(DeadLetter.after(25).queue(name + "-dead"))
                        .backoff(Backoff.fixed(Duration.ofMillis(25)))
                        .operationTimeout(LONG)
                        .build());
        popWhatComes(queue);
        pauseAndResume(queue);
        if (declared(Capability.RESERVE)) {
            retryAndAck(queue);
            letWorkersDoIt(client, queue);
        }
        assertThat(queue.totalSize()).as("messages that are left in '%s'", name).isZero();
    }

    private void popWhatComes(MessageQueue<String> queue) throws Exception {
        CompletableFuture<?> first = track(queue.popAsync(LONG));
        queue.push("now");
        done(first);
        CompletableFuture<?> second = track(queue.popAsync(LONG));
        boolean schedules = declared(Capability.SCHEDULE);
        queue.push("later", schedules ? PushOptions.delay(Duration.ofMillis(50)) : PushOptions.none());
        done(second);
        assertThat(done(queue.popAsync(Duration.ZERO))).isEmpty();
    }

    private void pauseAndResume(MessageQueue<String> queue) throws Exception {
        CompletableFuture<?> waiting = track(queue.popAsync(LONG));
        queue.pause();
        done(queue.pushAsync("after the pause"));
        queue.resume();
        done(waiting);
    }

    private static void retryAndAck(MessageQueue<String> queue) throws Exception {
        queue.push("twice");
        done(queue.reserveAsync(LONG)).orElseThrow().retry();
        done(queue.reserveAsync(LONG)).orElseThrow().ack();
    }

    /** One message is rejected, one fails once, and one takes longer than its lease. */
    private void letWorkersDoIt(QueueFactory client, MessageQueue<String> queue) throws Exception {
        Set<String> handled = ConcurrentHashMap.newKeySet();
        Worker worker = client.worker()
                .concurrency(2)
                .from(queue, (payload, delivery) -> {
                    if (payload.equals("bad") && handled.add("rejected")) {
                        throw new RejectException("bad");
                    }
                    if (payload.equals("unlucky") && delivery.attempt() == 1) {
                        throw new IllegalStateException("unlucky");
                    }
                    if (payload.equals("slow")) {
                        passReally(LEASE.plusMillis(500));
                    }
                    assertThat(handled.add(payload))
                            .as("'%s' is handled once", payload)
                            .isTrue();
                })
                .start();
        queue.push("bad");
        queue.push("unlucky");
        queue.push("slow");
        awaitReal("a message to be rejected", () -> handled.contains("rejected"));
        awaitReal("a message to be retried", () -> handled.contains("unlucky"));
        awaitReal("the slow message", () -> handled.contains("slow"));
        if (declared(Capability.MOVE)) {
            MessageQueue<String> dead = queue(client, queue.name() + "-dead", QueueOptions.none());
            awaitReal("a dead letter", () -> dead.redrive() == 1);
            awaitReal("the redriven dead letter", () -> handled.contains("bad"));
        }
        assertThat(worker.stop(LONG)).as("the worker stops in time").isTrue();
        long acked = declared(Capability.MOVE) ? 4 : 3;
        awaitReal("all to be counted", () -> queue.stats().acked() == acked);
    }

    private static void passReally(Duration time) throws Exception {
        CompletableFuture<Void> passed = new CompletableFuture<>();
        JonoClock.system().schedule(time.toNanos(), () -> passed.complete(null));
        done(passed);
    }

    private static <R> R done(CompletableFuture<R> call) throws Exception {
        return call.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }
}
