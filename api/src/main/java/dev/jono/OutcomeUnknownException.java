package dev.jono;

import org.jspecify.annotations.Nullable;

/** The reply of a mutating call was lost or came too late: the storage may have done it or may yet do it. */
public final class OutcomeUnknownException extends JonoException {
    private static final long serialVersionUID = 1L;

    /** What happened, to which queue and message where that is known, and why. */
    public OutcomeUnknownException(
            String message, @Nullable String queue, @Nullable String id, @Nullable Throwable cause) {
        super(message, queue, id, cause);
    }
}
