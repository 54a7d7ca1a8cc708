package dev.jono.internal.concurrent;

import dev.jono.JonoClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** How a thread of a caller waits for the engine: an interrupt does not end the wait, and stays set. */
public final class UninterruptibleWait {
    /** Real time between looks at a clock that may be a test's. */
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private UninterruptibleWait() {}

    /**
     * Waits until something is done or the deadline has passed. The caller holds the lock of the condition.
     *
     * @param changed is signalled whenever {@code done} may have become true
     * @param clock may be a test's; then it is read again every 50 ms
     * @param deadlineNanos by the clock's monotonic time
     * @param done is called with the lock held
     * @return whether it is done
     */
    public static boolean until(Condition changed, JonoClock clock, long deadlineNanos, BooleanSupplier done) {
        boolean interrupted = false;
        try {
            while (!done.getAsBoolean()) {
                long left = deadlineNanos - clock.nanos();
                if (left <= 0) {
                    return false;
                }
                interrupted |= await(changed, EngineClock.isReal(clock) ? left : Math.min(left, SLICE_NANOS));
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
