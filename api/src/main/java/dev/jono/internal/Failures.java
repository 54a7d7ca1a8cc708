package dev.jono.internal;

import dev.jono.EncodingException;
import dev.jono.JonoException;
import dev.jono.OutcomeUnknownException;
import dev.jono.StaleReservationException;
import dev.jono.StorageException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Turns what a stage failed with into what a caller is told. */
final class Failures {
    private Failures() {}

    static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** A plugin should fail with exceptions of Jono's; anything else is a bug of its, and its outcome is unknown. */
    static JonoException fromStorage(String step, String queue, Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof JonoException known) {
            return known;
        }
        return new OutcomeUnknownException(
                step + " on queue '" + queue + "' failed in the backend, and may or may not be done: "
                        + FailureText.of(cause),
                queue,
                null,
                cause);
    }

    /** As {@link #fromStorage}, of a repetition: that it did nothing says nothing of the call before. */
    static JonoException inDoubt(String step, String queue, Throwable failure) {
        JonoException last = fromStorage(step, queue, failure);
        return last instanceof OutcomeUnknownException
                ? last
                : new OutcomeUnknownException(
                        step + " on queue '" + queue
                                + "' was not answered, so it may or may not be done; repeated, it failed: "
                                + last.getMessage(),
                        queue,
                        null,
                        last);
    }

    /**
     * Whether a call under the same token may yet tell the outcome.
     *
     * @param inDoubt whether an earlier one was not answered: then a refusal, too, leaves the outcome open
     */
    static boolean worthRepeating(Throwable failure, boolean inDoubt) {
        return outcomeUnknown(failure) || (inDoubt && unapplied(failure));
    }

    /** Whether the storage certainly did nothing. */
    static boolean unapplied(Throwable failure) {
        return unwrap(failure) instanceof StorageException;
    }

    /** Whether the storage cannot hold one of the messages, and did nothing for the sake of it. */
    static boolean refused(Throwable failure) {
        return unwrap(failure) instanceof EncodingException;
    }

    static boolean outcomeUnknown(Throwable failure) {
        return unwrap(failure) instanceof OutcomeUnknownException;
    }

    /** Whether the reservation is no longer its holder's. */
    static boolean stale(Throwable failure) {
        return unwrap(failure) instanceof StaleReservationException;
    }

    /**
     * The exception to throw in a caller's thread: the same type and text with the caller's stack, and the original as
     * the cause, would lose fields; so the original itself is thrown, as the engine made it for this one call.
     */
    static RuntimeException toThrow(Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof RuntimeException runtime) {
            return runtime;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(cause);
    }
}
