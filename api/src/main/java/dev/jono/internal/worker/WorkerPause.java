package dev.jono.internal.worker;

import java.time.Duration;

/**
 * The pauses of a worker whose claims fail, or whose executor refuses handlers: 200 ms, doubled each time, up to 10 s.
 * Guarded by the lock of {@link WorkerState}.
 */
final class WorkerPause {
    private static final long FIRST_NANOS = Duration.ofMillis(200).toNanos();
    private static final long LONGEST_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int MOST_DOUBLINGS = 10;

    private boolean active;

    /** The last pause after a failed claim; 0 once a claim has succeeded. */
    private long lastNanos;

    /** Refusals since the executor last ran a handler. */
    private int refusals;

    /** Whether the worker pauses now. */
    boolean isActive() {
        return active;
    }

    /** A claim failed: a pause begins; returns its length. */
    long afterFailedClaim() {
        return begin(lastNanos == 0 ? FIRST_NANOS : Math.min(LONGEST_NANOS, lastNanos * 2));
    }

    /** The executor refused a handler: a pause begins; returns its length. */
    long afterRefusal() {
        int before = refusals;
        refusals = before + 1;
        return begin(Math.min(LONGEST_NANOS, FIRST_NANOS << Math.min(before, MOST_DOUBLINGS)));
    }

    private long begin(long nanos) {
        active = true;
        lastNanos = nanos;
        return nanos;
    }

    /** The time is over. */
    void end() {
        active = false;
    }

    /** A claim was answered: the storage works. */
    void claimAnswered() {
        active = false;
        lastNanos = 0;
    }

    /** The executor runs a handler. */
    void executorRuns() {
        refusals = 0;
    }
}
