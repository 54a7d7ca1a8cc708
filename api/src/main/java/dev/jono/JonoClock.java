package dev.jono;

import dev.jono.internal.Engine;

/**
 * The source of time of the engine: a wall clock, a monotonic clock and a timer. Must be thread-safe. Tests can hand in a
 * clock that they set; the testkit contains one.
 *
 * <p>For the engine, this clock decides only how long the process waits. The storage's clock decides which messages are
 * due and when a lease ends. The storages {@code memory} and {@code sqlite} have no clock of their own and use this one.
 */
public interface JonoClock {
    /**
     * Returns the wall-clock time, in milliseconds since the epoch. It may jump forward or back when the host's clock is
     * set.
     */
    long wallMillis();

    /** Returns the monotonic time, in nanoseconds since an arbitrary origin. For measuring elapsed time. */
    long nanos();

    /**
     * Runs a task once, after a delay that {@link #nanos()} measures.
     *
     * @param delayNanos in nanoseconds; 0 or less runs the task soon
     * @param task short, and never blocking; runs on the clock's thread
     */
    Timer schedule(long delayNanos, Runnable task);

    /**
     * Returns the clock of the host. Its thread is a daemon, and ends when no task is scheduled. A factory with this
     * clock has its own thread for it, from its opening until its close.
     */
    static JonoClock system() {
        return Engine.systemClock();
    }

    /** A scheduled task. */
    interface Timer {
        /** Cancels the task, unless it has started. Idempotent. */
        void cancel();
    }
}
