package dev.jono.cli;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What ties a child to its parent: the child's standard input ends when the parent wants it to stop, or dies. */
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
                // Nothing is said; only the end counts.
            }
        } catch (IOException e) {
            // The parent is gone.
        } finally {
            ended.countDown();
        }
    }

    /** Waits for the end. */
    void await() throws InterruptedException {
        ended.await();
    }

    /** Waits for the end, at most so long; returns whether it has come. */
    boolean await(Duration most) throws InterruptedException {
        return ended.await(most.toNanos(), TimeUnit.NANOSECONDS);
    }
}
