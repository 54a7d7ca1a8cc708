package dev.jono.internal;

import dev.jono.JonoClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** Waiting of a caller's thread for a condition of the engine's. */
final class UninterruptibleWait {
    /** Real time between looks at a clock that may be a test's. */
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private UninterruptibleWait() {}

    /**
     * Waits until a condition is signalled or the time left is over, or, where the clock may be a test's, for a moment, so that
     * it is looked at again; returns whether the thread was interrupted meanwhile.
     */
    @SuppressWarnings("WaitNotInLoop") // its callers loop
    static boolean change(Condition condition, JonoClock clock, long leftNanos) {
        try {
            long slice = EngineClock.isReal(clock) ? leftNanos : Math.min(leftNanos, SLICE_NANOS);
            return condition.awaitNanos(slice) <= 0 && Thread.interrupted();
        } catch (InterruptedException e) {
            return true;
        }
    }
}
