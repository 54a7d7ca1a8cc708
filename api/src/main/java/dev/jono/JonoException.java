package dev.jono;

import org.jspecify.annotations.Nullable;

/** The superclass of all exceptions that Jono defines. Its fields are plain values, which programs can read. */
public abstract class JonoException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String queue;
    private final @Nullable String id;

    /**
     * An exception, for subclasses.
     *
     * @param message what happened, and why
     * @param queue the queue concerned; null if there is none
     * @param id the id of the message concerned; null if there is none, or if it is not known
     * @param cause the cause; null if there is none
     */
    protected JonoException(String message, @Nullable String queue, @Nullable String id, @Nullable Throwable cause) {
        super(message, cause);
        this.queue = queue;
        this.id = id;
    }

    /** The name of the queue concerned; null if there is none. */
    public final @Nullable String queue() {
        return queue;
    }

    /** The id of the message concerned; null if there is none, or if it has no id yet. */
    public final @Nullable String id() {
        return id;
    }
}
