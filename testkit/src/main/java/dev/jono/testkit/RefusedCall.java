package dev.jono.testkit;

import dev.jono.JonoClock;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Refuses one of many calls, like a JVM that has no thread or no memory left at that moment: the n-th timer of a clock,
 * or the n-th task of an executor. Thread-safe.
 */
final class RefusedCall {
    private final int which;
    private final AtomicInteger calls = new AtomicInteger();

    /**
     * Refuses this call only.
     *
     * @param which counted from 1
     */
    RefusedCall(int which) {
        this.which = which;
    }

    int which() {
        return which;
    }

    /** Whether the refused call has happened. */
    boolean happened() {
        return calls.get() >= which;
    }

    private void next() {
        if (calls.incrementAndGet() == which) {
            throw new OutOfMemoryError("unable to create native thread (call " + which + ")");
        }
    }

    JonoClock over(JonoClock clock) {
        return new JonoClock() {
            @Override
            public long wallMillis() {
                return clock.wallMillis();
            }

            @Override
            public long nanos() {
                return clock.nanos();
            }

            @Override
            public Timer schedule(long delayNanos, Runnable task) {
                next();
                return clock.schedule(delayNanos, task);
            }
        };
    }

    Executor over(Executor executor) {
        return task -> {
            next();
            executor.execute(task);
        };
    }
}
