package dev.jono;

import org.jspecify.annotations.Nullable;

/** The factory is closed, or the queue object is drained. The refused call has changed nothing. */
public final class QueueClosedException extends JonoException {
    private static final long serialVersionUID = 1L;

    /**
     * An exception.
     *
     * @param message what happened, and why
     * @param queue the queue concerned; null if there is none
     * @param id the id of the message concerned; null if it is not known
     * @param cause the cause; null if there is none
     */
    public QueueClosedException(
            String message, @Nullable String queue, @Nullable String id, @Nullable Throwable cause) {
        super(message, queue, id, cause);
    }
}
