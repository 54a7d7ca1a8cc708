package dev.jono.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.JonoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class CallbackExecutorTest {
    private final ExecutorService users = Threads.forUsers();
    private final ExecutorService drivers = Threads.forDrivers();
    private final CallbackExecutor callbacks = new CallbackExecutor(threads(users));

    private static final Executor REFUSING = task -> {
        throw new RejectedExecutionException("full");
    };

    private FactoryThreads threads(Executor forUsers) {
        return new FactoryThreads(forUsers, drivers, drivers, JonoClock.system());
    }

    @AfterEach
    void end() {
        users.shutdownNow();
        drivers.shutdownNow();
    }

    @Test
    void allRunOnceWhateverManyThreadsHandIn() throws Exception {
        int threads = 4;
        int each = 20_000;
        AtomicInteger runs = new AtomicInteger();
        Set<Integer> seen = ConcurrentHashMap.newKeySet();
        List<Thread> producers = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int first = t * each;
            producers.add(new Thread(() -> {
                for (int i = first; i < first + each; i++) {
                    int number = i;
                    callbacks.run(() -> {
                        runs.incrementAndGet();
                        seen.add(number);
                    });
                }
            }));
        }
        producers.forEach(Thread::start);
        for (Thread producer : producers) {
            producer.join();
        }
        await().until(() -> seen.size() == threads * each);
        assertThat(runs).hasValue(threads * each);
    }

    @Test
    void callbackMayWaitForOnesThatComeAfterIt() {
        int depth = 50;
        List<CompletableFuture<Void>> later = new ArrayList<>();
        for (int i = 0; i <= depth; i++) {
            later.add(new CompletableFuture<>());
        }
        for (int i = 0; i < depth; i++) {
            int number = i;
            callbacks.run(() -> {
                later.get(number + 1).join();
                later.get(number).complete(null);
            });
        }
        callbacks.run(() -> later.get(depth).complete(null));
        assertThat(later.get(0)).succeedsWithin(30, TimeUnit.SECONDS);
    }

    @Test
    void callbackOnTheOnlyThreadOfAnExecutorMayWaitForAStep() {
        ExecutorService one = Executors.newSingleThreadExecutor();
        try {
            CallbackExecutor alone = new CallbackExecutor(threads(one));
            CompletableFuture<Void> step = new CompletableFuture<>();
            CompletableFuture<Void> callback = new CompletableFuture<>();
            alone.submitAsOne(() -> {
                alone.run(() -> {
                    step.join();
                    callback.complete(null);
                });
                alone.enqueueStep(() -> step.complete(null));
            });
            assertThat(callback).succeedsWithin(30, TimeUnit.SECONDS);
        } finally {
            one.shutdownNow();
        }
    }

    @Test
    void stepThatACallbackAsksForRunsBehindThoseThatWaitAlready() throws Exception {
        List<Integer> order = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        callbacks.submitAsOne(() -> {
            callbacks.run(() -> {
                callbacks.runAfterQueued(() -> {
                    order.add(3);
                    done.countDown();
                });
                order.add(1);
            });
            callbacks.run(() -> order.add(2));
        });
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(order).containsSubsequence(1, 3);
    }

    @Test
    void stepThatNoCallbackAsksForRunsAtOnce() {
        AtomicBoolean ran = new AtomicBoolean();
        callbacks.runAfterQueued(() -> ran.set(true));
        assertThat(ran).isTrue();
    }

    @Test
    void callbackMayWaitForAStepThatItAskedFor() {
        CompletableFuture<Void> step = new CompletableFuture<>();
        CompletableFuture<Void> waited = new CompletableFuture<>();
        callbacks.submitAsOne(() -> {
            callbacks.run(() -> {
                callbacks.runAfterQueued(() -> step.complete(null));
                step.join();
                waited.complete(null);
            });
            callbacks.run(() -> {});
        });
        assertThat(waited).succeedsWithin(30, TimeUnit.SECONDS);
    }

    @Test
    void oneThatBlocksHoldsUpNobodyWhoComesLater() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        callbacks.run(() -> {
            blocked.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        blocked.await();
        AtomicBoolean ran = new AtomicBoolean();
        callbacks.run(() -> ran.set(true));
        await().untilTrue(ran);
        go.countDown();
    }

    @Test
    void whatOneThrowsOrInterruptsIsItsOwn() {
        AtomicBoolean interrupted = new AtomicBoolean();
        AtomicBoolean ran = new AtomicBoolean();
        callbacks.run(() -> {
            Thread.currentThread().interrupt();
            throw new AssertionError("a callback's own");
        });
        callbacks.run(() -> {
            interrupted.set(Thread.currentThread().isInterrupted());
            ran.set(true);
        });
        await().untilTrue(ran);
        assertThat(interrupted).isFalse();
    }

    @Test
    void executorThatRefusesIsStoodInFor() {
        AtomicInteger runs = new AtomicInteger();
        CallbackExecutor refused = new CallbackExecutor(threads(REFUSING));
        refused.run(runs::incrementAndGet);
        await().until(() -> runs.get() == 1);
        drivers.shutdown();
        refused.run(runs::incrementAndGet);
        await().until(() -> runs.get() == 2);
    }

    /** Callbacks wait until there is one: the engine does not run users' code on threads of its own. */
    @Test
    void stepsRunThoughThereIsNoThreadAtAll() {
        Executor none = task -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        List<Runnable> later = new CopyOnWriteArrayList<>();
        CallbackExecutor callbacksWithout =
                new CallbackExecutor(new FactoryThreads(none, later::add, none, JonoClock.system()));
        AtomicInteger runs = new AtomicInteger();
        AtomicBoolean step = new AtomicBoolean();
        callbacksWithout.run(runs::incrementAndGet);
        callbacksWithout.enqueueStep(() -> step.set(true));
        await().untilTrue(step);
        assertThat(runs).hasValue(0);
        later.forEach(Runnable::run);
        assertThat(runs).hasValue(1);
    }
}
