package dev.jono.internal.runtime;

import dev.jono.EncodingException;
import dev.jono.JonoException;
import dev.jono.OutcomeUnknownException;
import dev.jono.StaleReservationException;
import dev.jono.StorageException;
import dev.jono.internal.concurrent.Completions;
import dev.jono.internal.log.FailureText;

/** Turns what a stage failed with into what a caller is told. */
public final class Failures {
    private Failures() {}

    /** A plugin should fail with exceptions of Jono's; anything else is a bug of its, and its outcome is unknown. */
    public static JonoException fromStorage(String step, String queue, Throwable failure) {
        Throwable cause = Completions.unwrap(failure);
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
    public static JonoException inDoubt(String step, String queue, Throwable failure) {
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
    public static boolean worthRepeating(Throwable failure, boolean inDoubt) {
        return outcomeUnknown(failure) || (inDoubt && unapplied(failure));
    }

    /** Whether the storage certainly did nothing. */
    public static boolean unapplied(Throwable failure) {
        return Completions.unwrap(failure) instanceof StorageException;
    }

    /** Whether the storage cannot hold one of the messages, and did nothing for the sake of it. */
    public static boolean refused(Throwable failure) {
        return Completions.unwrap(failure) instanceof EncodingException;
    }

    public static boolean outcomeUnknown(Throwable failure) {
        return Completions.unwrap(failure) instanceof OutcomeUnknownException;
    }

    /** Whether the reservation is no longer its holder's. */
    public static boolean stale(Throwable failure) {
        return Completions.unwrap(failure) instanceof StaleReservationException;
    }
}
