package dev.jono;

import org.jspecify.annotations.Nullable;

/** A codec or an interceptor failed on a payload that was to be pushed. Nothing was stored. */
public final class EncodingException extends JonoException {
    private static final long serialVersionUID = 1L;

    /** What happened, to which queue and message where that is known, and why. */
    public EncodingException(String message, @Nullable String queue, @Nullable String id, @Nullable Throwable cause) {
        super(message, queue, id, cause);
    }
}
