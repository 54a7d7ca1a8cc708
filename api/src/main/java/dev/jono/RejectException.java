package dev.jono;

import org.jspecify.annotations.Nullable;

/** Thrown by a handler: this message will never succeed; it goes to the dead-letter queue at once. */
public final class RejectException extends JonoException {
    private static final long serialVersionUID = 1L;

    /** Why; kept in the header {@code x-dl-error}. */
    public RejectException(String reason) {
        this(reason, null);
    }

    /** Why, and the cause. */
    public RejectException(String reason, @Nullable Throwable cause) {
        super(reason, null, null, cause);
    }
}
