package dev.jono.internal.concurrent;

import dev.jono.JonoClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Threads of a factory that wait for an answer, each for so long at most. They share their timers: a virtual thread that
 * waits with a limit of its own sets and cancels a timer of the JVM's, and wakes that one's thread for it, which takes a fifth of
 * what 64 of them have to do for a reserve and an ack on Redis.
 */
public final class BlockedCallers {
    private final ReentrantLock lock = new ReentrantLock();
    private final SharedTimeouts limits;

    public BlockedCallers(JonoClock clock) {
        this.limits = new SharedTimeouts(clock, lock);
    }

    /** One that waits. */
    private static final class Blocked extends SharedTimeouts.TimedWaiter {
        private final long nanos;

        /** Completes when there is an answer, or no time is left. */
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
     * Waits without letting an interrupt end it; the interrupt stays set.
     *
     * @param late makes the exception for a wait that took longer than the timeout
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

    /** For a while nobody new will wait. */
    public void releaseIdleTimers() {
        lock.lock();
        try {
            limits.releaseIdleTimers();
        } finally {
            lock.unlock();
        }
    }
}
