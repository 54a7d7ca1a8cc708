package dev.jono.internal;

import dev.jono.JonoClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;

/** Waiting of a caller's thread for the engine. */
final class Await {
    /** Real time between looks at a clock that may be a test's. */
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private Await() {}

    /**
     * Waits without letting an interrupt end it; the interrupt stays set.
     *
     * @param late makes the exception for a wait that took longer than the timeout
     */
    static <R> R uninterruptibly(
            JonoClock clock, CompletableFuture<R> future, Duration timeout, Supplier<RuntimeException> late) {
        boolean interrupted = false;
        long deadline = clock.nanos() + timeout.toNanos();
        try {
            while (true) {
                try {
                    long left = deadline - clock.nanos();
                    if (left <= 0 && !future.isDone()) {
                        throw late.get();
                    }
                    return future.get(slice(clock, left), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException lookAgain) {
                    // A test's clock may not have come as far as real time has.
                } catch (ExecutionException e) {
                    throw Failures.toThrow(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits for a condition's signal, or a slice of the time left; returns whether the thread was interrupted meanwhile. */
    @SuppressWarnings("WaitNotInLoop") // its callers loop
    static boolean change(Condition condition, JonoClock clock, long leftNanos) {
        try {
            return condition.awaitNanos(slice(clock, leftNanos)) <= 0 && Thread.interrupted();
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** How long to wait in real time before the clock, which may be a test's, is looked at again. */
    static long slice(JonoClock clock, long left) {
        return Math.max(0, clock.equals(JonoClock.system()) ? left : Math.min(left, SLICE_NANOS));
    }
}
