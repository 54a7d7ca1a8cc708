package dev.jono.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.jono.JonoClock;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks for which there is no thread wait for one. */
@Timeout(60)
final class RetryingExecutorTest {
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger runs = new AtomicInteger();
    private volatile boolean shortage = true;
    private volatile boolean queuesAllTheSame;

    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
                @Override
                public void execute(Runnable task) {
                    attempts.incrementAndGet();
                    if (queuesAllTheSame) {
                        super.execute(task);
                    }
                    if (shortage) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    if (!queuesAllTheSame) {
                        super.execute(task);
                    }
                }
            };
    private final RetryingExecutor patient = new RetryingExecutor(threads, JonoClock.system());

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void taskRunsWhenThereIsAThreadAgain() {
        patient.execute(runs::incrementAndGet);
        await().until(() -> attempts.get() > 3);
        assertThat(runs).hasValue(0);
        shortage = false;
        await().until(() -> runs.get() == 1);
    }

    /** As the scheduler of virtual threads does, which queues a task before it looks for a carrier thread. */
    @Test
    void taskThatWasQueuedAndRefusedRunsOnce() {
        queuesAllTheSame = true;
        patient.execute(runs::incrementAndGet);
        await().until(() -> attempts.get() > 3);
        shortage = false;
        int before = attempts.get();
        await().until(() -> attempts.get() > before || runs.get() > 0);
        assertThat(runs).hasValue(1);
    }

    @Test
    void whatStillWaitsAtTheEndIsRun() {
        patient.execute(runs::incrementAndGet);
        threads.shutdown();
        await().until(() -> runs.get() == 1);
        assertThatThrownBy(() -> patient.execute(runs::incrementAndGet)).isInstanceOf(RejectedExecutionException.class);
    }
}
