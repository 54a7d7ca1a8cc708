package dev.jono.internal.runtime;

import dev.jono.EncodingException;
import dev.jono.JonoException;
import dev.jono.OutcomeUnknownException;
import dev.jono.StaleReservationException;
import dev.jono.StorageException;
import dev.jono.internal.concurrent.Completions;
import dev.jono.internal.log.FailureText;

/** Translates failures of storage calls into the exceptions that callers get. Stateless. */
public final class Failures {
    private Failures() {}

    /**
     * The exception for a caller. A backend should fail with exceptions of Jono; any other exception is a bug of the
     * backend, and the outcome of the call is unknown.
     */
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

    /**
     * As {@link #fromStorage}, for a repeated call. That the repetition did nothing does not say what the call before it
     * did.
     */
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
     * Whether repeating the call under its token may yet show the outcome.
     *
     * @param inDoubt whether an earlier attempt was not answered: then even a refusal leaves the outcome open
     */
    public static boolean worthRepeating(Throwable failure, boolean inDoubt) {
        return outcomeUnknown(failure) || (inDoubt && unapplied(failure));
    }

    /** Whether the storage certainly did nothing. */
    public static boolean unapplied(Throwable failure) {
        return Completions.unwrap(failure) instanceof StorageException;
    }

    /** Whether the storage cannot store one of the messages, and therefore stored none. */
    public static boolean refused(Throwable failure) {
        return Completions.unwrap(failure) instanceof EncodingException;
    }

    public static boolean outcomeUnknown(Throwable failure) {
        return Completions.unwrap(failure) instanceof OutcomeUnknownException;
    }

    /** Whether the reservation no longer belongs to its holder. */
    public static boolean stale(Throwable failure) {
        return Completions.unwrap(failure) instanceof StaleReservationException;
    }
}
