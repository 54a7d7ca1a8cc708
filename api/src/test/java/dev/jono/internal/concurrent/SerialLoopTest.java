package dev.jono.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SerialLoopTest {
    private final AtomicInteger steps = new AtomicInteger();
    private final AtomicReference<SerialLoop> loop = new AtomicReference<>();

    private void request() {
        SerialLoop known = loop.get();
        if (known == null) {
            throw new IllegalStateException("no loop yet");
        }
        known.request();
    }

    @Test
    void requestOfTheStepItselfIsServedInALoopAndNotInARecursion() {
        AtomicInteger depth = new AtomicInteger();
        AtomicInteger deepest = new AtomicInteger();
        loop.set(new SerialLoop(
                () -> {
                    deepest.accumulateAndGet(depth.incrementAndGet(), Math::max);
                    if (steps.incrementAndGet() < 10) {
                        request();
                    }
                    depth.decrementAndGet();
                    return SerialLoop.Next.DONE;
                },
                rest -> false));
        request();
        assertThat(steps).hasValue(10);
        assertThat(deepest).hasValue(1);
    }

    @Test
    void stepThatWantsToRunAgainDoes() {
        loop.set(new SerialLoop(
                () -> steps.incrementAndGet() < 5 ? SerialLoop.Next.AGAIN : SerialLoop.Next.DONE, rest -> false));
        request();
        assertThat(steps).hasValue(5);
    }

    @Test
    void noStepRunsWhileTheLoopIsSuspended() {
        AtomicReference<SerialLoop.Next> next = new AtomicReference<>(SerialLoop.Next.SUSPENDED);
        SerialLoop suspended = new SerialLoop(
                () -> {
                    steps.incrementAndGet();
                    return next.get();
                },
                rest -> false);
        suspended.request();
        suspended.request();
        assertThat(steps).hasValue(1);
        next.set(SerialLoop.Next.DONE);
        suspended.resume();
        int afterwards = steps.get();
        assertThat(afterwards).as("the request that came meanwhile is served").isGreaterThan(1);
        suspended.request();
        assertThat(steps).hasValue(afterwards + 1);
    }

    @Test
    void threadThatHasServedManyOthersHandsOver() {
        List<Runnable> handedOver = new ArrayList<>();
        loop.set(new SerialLoop(
                () -> {
                    if (steps.incrementAndGet() < 100) {
                        request();
                    }
                    return SerialLoop.Next.DONE;
                },
                handedOver::add));
        request();
        assertThat(steps).hasValue(32);
        assertThat(handedOver).hasSize(1);
        handedOver.remove(0).run();
        assertThat(steps).as("the rest runs where it was handed to").hasValue(64);
    }

    @Test
    void requestsOfManyThreadsAreServedOneAtATimeAndNoneIsForgotten() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger together = new AtomicInteger();
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger served = new AtomicInteger();
        loop.set(new SerialLoop(
                () -> {
                    if (running.incrementAndGet() > 1) {
                        together.incrementAndGet();
                    }
                    served.set(asked.get());
                    running.decrementAndGet();
                    return SerialLoop.Next.DONE;
                },
                rest -> false));
        ExecutorService threads = Executors.newFixedThreadPool(4);
        CountDownLatch done = new CountDownLatch(4);
        for (int thread = 0; thread < 4; thread++) {
            threads.execute(() -> {
                for (int i = 0; i < 10_000; i++) {
                    asked.incrementAndGet();
                    request();
                }
                done.countDown();
            });
        }
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(together).hasValue(0);
        assertThat(served).hasValue(40_000);
    }
}
