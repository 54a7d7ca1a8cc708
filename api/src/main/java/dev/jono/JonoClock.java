package dev.jono;

import dev.jono.internal.Engine;

/**
 * Time, as the engine sees it: two readings with two meanings, and waiting. Tests hand in one that they move (the
 * testkit has it). Thread-safe.
 *
 * <p>It decides only how long this process waits; what is mature and when a lease ends is the storage's clock.
 * For storages without a clock of their own ({@code memory}, {@code sqlite}) this is the storage's clock.
 */
public interface JonoClock {
    /** Wall time for stamps, milliseconds since the epoch. May be set back or forth by whoever keeps the host's time. */
    long wallMillis();

    /** Monotonic time for measuring, nanoseconds from an arbitrary origin. */
    long nanos();

    /**
     * Runs a task after a delay, measured by {@link #nanos()}.
     *
     * @param delayNanos nanoseconds; 0 or less runs it soon
     * @param task short, never blocking; runs on the clock's thread
     */
    Timer schedule(long delayNanos, Runnable task);

    /**
     * The host's clock. Its thread is a daemon, and ends when nothing is scheduled; a factory with this clock has a
     * thread of its own for it, from its opening until its close.
     */
    static JonoClock system() {
        return Engine.systemClock();
    }

    /** Something scheduled. */
    interface Timer {
        /** Forgets the task, unless it has started. Idempotent. */
        void cancel();
    }
}
