package dev.jono;

import org.jspecify.annotations.Nullable;

/** A payload is over the limit of the queue or of the storage. Nothing was stored. */
public final class PayloadTooLargeException extends JonoException {
    private static final long serialVersionUID = 1L;

    /** What happened, to which queue and message where that is known, and why. */
    public PayloadTooLargeException(
            String message, @Nullable String queue, @Nullable String id, @Nullable Throwable cause) {
        super(message, queue, id, cause);
    }
}
