package dev.jono;

import org.jspecify.annotations.Nullable;

/** The factory is closed, or the queue is drained: nothing was stored or taken. */
public final class QueueClosedException extends JonoException {
    private static final long serialVersionUID = 1L;

    /** What happened, to which queue and message where that is known, and why. */
    public QueueClosedException(
            String message, @Nullable String queue, @Nullable String id, @Nullable Throwable cause) {
        super(message, queue, id, cause);
    }
}
