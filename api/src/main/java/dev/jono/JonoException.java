package dev.jono;

import org.jspecify.annotations.Nullable;

/** The root of all that Jono throws. The fields are plain values, for logs and for programs. */
public abstract class JonoException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String queue;
    private final @Nullable String id;

    /** For subclasses: what happened, to which queue and message where that is known, and why. */
    protected JonoException(String message, @Nullable String queue, @Nullable String id, @Nullable Throwable cause) {
        super(message, cause);
        this.queue = queue;
        this.id = id;
    }

    /** The queue concerned; null when none is. */
    public final @Nullable String queue() {
        return queue;
    }

    /** The message concerned; null when none is, or when it has no id yet. */
    public final @Nullable String id() {
        return id;
    }
}
