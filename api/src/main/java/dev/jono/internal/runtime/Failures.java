package dev.jono.internal.runtime;

import dev.jono.EncodingException;
import dev.jono.JonoException;
import dev.jono.OutcomeUnknownException;
import dev.jono.StaleReservationException;
import dev.jono.StorageException;
import dev.jono.internal.concurrent.Completions;
import dev.jono.internal.log.FailureText;

/** Translates failures of storage calls into the exceptions that callers get. Called on any thread. Stateless. */
public final class Failures {
    private Failures() {}

    /**
     * The exception for a caller. A backend should fail with exceptions of Jono. Any other exception is a bug of the backend,
     * and callers get an {@link OutcomeUnknownException} in its place.
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
     * As {@link #fromStorage}, for a repeated call. The first call has perhaps taken effect even if the repetition did not, so the
     * exception always is an {@link OutcomeUnknownException}.
     */
    public static JonoException ofRepeatedCall(String step, String queue, Throwable failure) {
        JonoException last = fromStorage(step, queue, failure);
        return last instanceof OutcomeUnknownException
                ? last
                : new OutcomeUnknownException(
                        step + " on queue '" + queue
                                + "' was not answered, so it may or may not be done; the repeated call failed: "
                                + last.getMessage(),
                        queue,
                        null,
                        last);
    }

    /**
     * Whether repeating the call under its token can still show the outcome. An exception that is not one of Jono's is never
     * a reason to repeat.
     *
     * @param repeated whether the failed call was a repetition: then the outcome is unknown even if the repetition certainly did
     *     nothing
     */
    public static boolean worthRepeating(Throwable failure, boolean repeated) {
        return outcomeUnknown(failure) || (repeated && unapplied(failure));
    }

    /** Whether the storage certainly did nothing: a {@link StorageException}. */
    public static boolean unapplied(Throwable failure) {
        return Completions.unwrap(failure) instanceof StorageException;
    }

    /** Whether the storage cannot store one of the messages, and stored none of the call: an {@link EncodingException}. */
    public static boolean unstorable(Throwable failure) {
        return Completions.unwrap(failure) instanceof EncodingException;
    }

    /** Whether the failure is an {@link OutcomeUnknownException}. An exception that is not one of Jono's is not. */
    public static boolean outcomeUnknown(Throwable failure) {
        return Completions.unwrap(failure) instanceof OutcomeUnknownException;
    }

    /** Whether the reservation no longer belongs to its holder: a {@link StaleReservationException}. */
    public static boolean stale(Throwable failure) {
        return Completions.unwrap(failure) instanceof StaleReservationException;
    }
}
