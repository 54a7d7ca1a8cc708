package dev.jono;

import org.jspecify.annotations.Nullable;

/** A payload is larger than the limit of the queue or of the storage. Nothing was stored. */
public final class PayloadTooLargeException extends JonoException {
    private static final long serialVersionUID = 1L;

    /**
     * An exception.
     *
     * @param message what happened, and why
     * @param queue the queue concerned; null if there is none
     * @param id the id of the message concerned; null if it has none yet
     * @param cause the cause; null if there is none
     */
    public PayloadTooLargeException(
            String message, @Nullable String queue, @Nullable String id, @Nullable Throwable cause) {
        super(message, queue, id, cause);
    }
}
