package dev.jono;

import org.jspecify.annotations.Nullable;

/** The engine's bounds for pending calls are reached: the storage is slower than the callers. Nothing was stored. */
public final class QueueFullException extends JonoException {
    private static final long serialVersionUID = 1L;

    /** What happened, to which queue and message where that is known, and why. */
    public QueueFullException(String message, @Nullable String queue, @Nullable String id, @Nullable Throwable cause) {
        super(message, queue, id, cause);
    }
}
