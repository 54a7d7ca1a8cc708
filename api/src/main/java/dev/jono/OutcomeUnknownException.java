package dev.jono;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a mutating call is not known, because its reply was lost or late. The storage may have executed the
 * call, or may still execute it.
 */
public final class OutcomeUnknownException extends JonoException {
    private static final long serialVersionUID = 1L;

    /**
     * An exception.
     *
     * @param message what happened, and why
     * @param queue the queue concerned; null if there is none
     * @param id the id of the message concerned; null if it is not known
     * @param cause the cause; null if there is none
     */
    public OutcomeUnknownException(
            String message, @Nullable String queue, @Nullable String id, @Nullable Throwable cause) {
        super(message, queue, id, cause);
    }
}
