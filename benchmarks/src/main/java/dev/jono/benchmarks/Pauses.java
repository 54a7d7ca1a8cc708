package dev.jono.benchmarks;

import dev.jono.JonoClock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Blocks the calling thread for a time or until a time. */
final class Pauses {
    private static final JonoClock CLOCK = JonoClock.system();

    private Pauses() {}

    static void pause(long millis) throws InterruptedException {
        pauseUntil(CLOCK.nanos() + millis * 1_000_000);
    }

    /** Waits until a time of the monotonic clock; returns at once if it has passed. */
    static void pauseUntil(long nanos) throws InterruptedException {
        long left = nanos - CLOCK.nanos();
        if (left > 0) {
            CountDownLatch passed = new CountDownLatch(1);
            CLOCK.schedule(left, passed::countDown);
            passed.await(left + 10_000_000_000L, TimeUnit.NANOSECONDS);
        }
    }
}
