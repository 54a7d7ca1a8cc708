package dev.jono;

import org.jspecify.annotations.Nullable;

/**
 * Too many calls of a queue are pending: the storage is slower than the callers. The refused call has changed nothing.
 * The bounds are {@link QueueOptions.Builder#maxPendingMessages} and {@link QueueOptions.Builder#maxPendingBytes}.
 */
public final class QueueFullException extends JonoException {
    private static final long serialVersionUID = 1L;

    /**
     * An exception.
     *
     * @param message what happened, and why
     * @param queue the queue concerned; null if there is none
     * @param id the id of the message concerned; null if it is not known
     * @param cause the cause; null if there is none
     */
    public QueueFullException(String message, @Nullable String queue, @Nullable String id, @Nullable Throwable cause) {
        super(message, queue, id, cause);
    }
}
