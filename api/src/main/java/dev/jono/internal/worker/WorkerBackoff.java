package dev.jono.internal.worker;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a worker waits after its claims fail, or after its executor refuses handlers: 200 ms, doubled each time, up to
 * 10 s. While it waits, it claims nothing and starts no handler. The two causes are counted separately, because claims can
 * succeed while the executor refuses. Used by {@link WorkerState}, with its lock held.
 */
final class WorkerBackoff {
    private static final long FIRST_NANOS = Duration.ofMillis(200).toNanos();
    private static final long LONGEST_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int MAX_DOUBLINGS = 10;

    /** The wait of the worker now; null while it does not wait. */
    private @Nullable Wait current;

    /** Claims that failed since the last one that was answered. */
    private int failedClaims;

    /** Refusals since the executor last ran a handler. */
    private int refusals;

    /** One wait. An object of its own, so that the timer of an earlier wait cannot end a later one. */
    static final class Wait {
        final long nanos;
        private final boolean forExecutor;

        Wait(int failuresBefore, boolean forExecutor) {
            this.nanos = Math.min(LONGEST_NANOS, FIRST_NANOS << Math.min(failuresBefore, MAX_DOUBLINGS));
            this.forExecutor = forExecutor;
        }
    }

    /** Whether the worker waits now. */
    boolean isWaiting() {
        return current != null;
    }

    /** A claim failed: a wait begins. */
    Wait afterFailedClaim() {
        return begin(new Wait(failedClaims++, /* forExecutor= */ false));
    }

    /** The executor refused a handler: a wait begins. */
    Wait afterRefusal() {
        return begin(new Wait(refusals++, /* forExecutor= */ true));
    }

    private Wait begin(Wait wait) {
        current = wait;
        return wait;
    }

    /** The time of a wait is over; does nothing if the worker does not wait, or if a later wait has begun. */
    void end(Wait wait) {
        if (current == wait) {
            current = null;
        }
    }

    /** A claim was answered, so the storage works: ends a wait that a failed claim began. */
    void claimAnswered() {
        failedClaims = 0;
        if (current != null && !current.forExecutor) {
            current = null;
        }
    }

    /** The executor runs a handler, so the next refusal is the first one. */
    void executorRuns() {
        refusals = 0;
    }
}
