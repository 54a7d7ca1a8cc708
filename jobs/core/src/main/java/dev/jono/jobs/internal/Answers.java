package dev.jono.jobs.internal;

import dev.jono.Durations;
import dev.jono.JonoClock;
import dev.jono.JonoException;
import dev.jono.OutcomeUnknownException;
import dev.jono.StorageException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/** Waits on threads of users. */
final class Answers {
    private Answers() {}

    /**
     * Waits for an answer of the job store. An interrupt does not end the wait, and stays set.
     *
     * @param changes whether the call changes something: then its outcome is unknown after the timeout
     */
    static <R> R await(CompletionStage<R> stage, JonoClock clock, Duration timeout, boolean changes) {
        CompletableFuture<R> answer = stage.toCompletableFuture().copy();
        JonoClock.Timer limit =
                clock.schedule(timeout.toNanos(), () -> answer.completeExceptionally(late(timeout, changes)));
        try {
            return answer.join();
        } catch (CompletionException failed) {
            throw toThrow(failed);
        } finally {
            limit.cancel();
        }
    }

    /** Waits for a step on the queues, which ends by itself. */
    static <R> R join(CompletableFuture<R> step) {
        try {
            return step.join();
        } catch (CompletionException failed) {
            throw toThrow(failed);
        }
    }

    private static JonoException late(Duration timeout, boolean changes) {
        String text = "the job store did not answer within " + Durations.format(timeout);
        return changes
                ? new OutcomeUnknownException(text, null, null, null)
                : new StorageException(text, null, null, null);
    }

    /** Waits for a time by a clock. */
    static void pause(JonoClock clock, long nanos) throws InterruptedException {
        await(new CountDownLatch(1), clock, nanos);
    }

    /** Waits until another thread counts a latch down, which has the count 1, or until a time is over by a clock. */
    static void await(CountDownLatch over, JonoClock clock, long nanos) throws InterruptedException {
        JonoClock.Timer timer = clock.schedule(nanos, over::countDown);
        try {
            over.await();
        } finally {
            timer.cancel();
        }
    }

    /** The failure of a future, without the wrappers. */
    static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static RuntimeException toThrow(CompletionException failed) {
        Throwable cause = unwrap(failed);
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException runtime
                ? runtime
                : new StorageException("the job store failed: " + cause, null, null, cause);
    }
}
