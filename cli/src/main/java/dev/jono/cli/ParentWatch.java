package dev.jono.cli;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ties a child process to its parent: the child's standard input ends when the parent wants it to stop, or dies. */
final class ParentWatch {
    private final CountDownLatch ended = new CountDownLatch(1);

    ParentWatch(InputStream in) {
        Thread watcher = new Thread(() -> watch(in), "jono-parent-watch");
        watcher.setDaemon(true);
        watcher.start();
    }

    private void watch(InputStream in) {
        try {
            while (in.read() >= 0) {
                // The parent sends nothing; only the end of the input matters.
            }
        } catch (IOException e) {
            // The parent has ended.
        } finally {
            ended.countDown();
        }
    }

    /** Waits until the parent wants this process to stop. */
    void await() throws InterruptedException {
        ended.await();
    }

    /** Waits up to this time, and returns whether the parent wants this process to stop. */
    boolean await(Duration most) throws InterruptedException {
        return ended.await(most.toNanos(), TimeUnit.NANOSECONDS);
    }
}
