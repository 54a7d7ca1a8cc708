package dev.jono.internal.concurrent;

import dev.jono.JonoClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Blocks threads of callers until an answer is there or their time is over. They share timers ({@link SharedTimeouts}): a
 * timed wait of a virtual thread sets and cancels a timer of the JVM, and wakes the thread of that timer each time.
 * Thread-safe.
 */
public final class BlockedCallers {
    private final ReentrantLock lock = new ReentrantLock();
    private final SharedTimeouts limits;

    public BlockedCallers(JonoClock clock) {
        this.limits = new SharedTimeouts(clock, lock);
    }

    /** A thread that waits. */
    private static final class Blocked extends SharedTimeouts.TimedWaiter {
        private final long nanos;

        /** Completes when there is an answer, or the time is over. */
        private final CompletableFuture<Void> over = new CompletableFuture<>();

        Blocked(long nanos) {
            this.nanos = nanos;
        }

        @Override
        protected long waitNanos() {
            return nanos;
        }

        @Override
        protected void timedOut() {
            over.complete(null);
        }
    }

    /**
     * Waits for an answer. An interrupt does not end the wait; it stays set.
     *
     * @param late makes the exception for an answer that does not come within the timeout
     */
    public <R> R await(CompletableFuture<R> answer, Duration timeout, Supplier<RuntimeException> late) {
        if (!answer.isDone() && !timeout.isNegative() && !timeout.isZero()) {
            await(answer, new Blocked(timeout.toNanos()));
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

    private void await(CompletableFuture<?> answer, Blocked caller) {
        Runnable limit;
        lock.lock();
        try {
            limit = limits.begin(caller);
        } finally {
            lock.unlock();
        }
        try {
            if (limit != null) {
                limit.run();
            }
            answer.whenComplete((done, failure) -> caller.over.complete(null));
            caller.over.join();
        } finally {
            lock.lock();
            try {
                limits.end(caller);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Cancels timers that were kept for the next wait: none will come for a while. */
    public void releaseIdleTimers() {
        lock.lock();
        try {
            limits.releaseIdleTimers();
        } finally {
            lock.unlock();
        }
    }
}
