package dev.jono;

import org.jspecify.annotations.Nullable;

/**
 * A push was to be part of a transaction that is not on the storage of the queue. Nothing was sent on its connection, so the
 * transaction can continue.
 */
public final class OtherStorageException extends JonoException {
    private static final long serialVersionUID = 1L;

    /**
     * An exception.
     *
     * @param message what happened, and why
     * @param queue the queue concerned
     * @param cause the cause; null if there is none
     */
    public OtherStorageException(String message, String queue, @Nullable Throwable cause) {
        super(message, queue, null, cause);
    }
}
