package dev.jono.internal.concurrent;

import dev.jono.JonoClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for the engine: an interrupt does not end the wait, and stays set. Called on the threads of callers. Stateless.
 */
public final class UninterruptibleWait {
    /** How often, in real time, a clock is read that a test can move. */
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private UninterruptibleWait() {}

    /**
     * Waits until {@code done} returns true or the deadline has passed. The caller holds the lock of the condition.
     *
     * @param changed signalled after each change that can make {@code done} true
     * @param clock the clock of the deadline; if a test can move it, it is read again every 50 ms
     * @param deadlineNanos by the clock's monotonic time
     * @param done called with the lock held
     * @return whether {@code done} has returned true
     */
    public static boolean until(Condition changed, JonoClock clock, long deadlineNanos, BooleanSupplier done) {
        boolean interrupted = false;
        try {
            while (!done.getAsBoolean()) {
                long remaining = deadlineNanos - clock.nanos();
                if (remaining <= 0) {
                    return false;
                }
                interrupted |= await(changed, EngineClock.isReal(clock) ? remaining : Math.min(remaining, SLICE_NANOS));
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits for an answer.
     *
     * @param clock may be a test's; it ends the wait
     * @param timeout zero only looks
     * @param late makes the exception for an answer that does not come in time
     * @return the answer; its failure is thrown
     */
    public static <R> R answer(
            CompletableFuture<R> answer, JonoClock clock, Duration timeout, Supplier<RuntimeException> late) {
        if (!answer.isDone() && !timeout.isZero()) {
            CompletableFuture<Void> over = new CompletableFuture<>();
            JonoClock.Timer limit = clock.schedule(timeout.toNanos(), () -> over.complete(null));
            answer.whenComplete((done, failure) -> over.complete(null));
            over.join();
            limit.cancel();
        }
        if (!answer.isDone()) {
            throw late.get();
        }
        try {
            return answer.join();
        } catch (RuntimeException failure) {
            throw Completions.toThrow(failure);
        }
    }

    /** Returns whether the thread was interrupted. */
    @SuppressWarnings("WaitNotInLoop") // its caller loops
    private static boolean await(Condition changed, long nanos) {
        try {
            return changed.awaitNanos(nanos) <= 0 && Thread.interrupted();
        } catch (InterruptedException e) {
            return true;
        }
    }
}
