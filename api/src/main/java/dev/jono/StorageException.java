package dev.jono;

import org.jspecify.annotations.Nullable;

/** The storage has failed or refused a call, and the call has certainly had no effect. A repetition may succeed. */
public class StorageException extends JonoException {
    private static final long serialVersionUID = 1L;

    /**
     * An exception.
     *
     * @param message what happened, and why
     * @param queue the queue concerned; null if there is none
     * @param id the id of the message concerned; null if it is not known
     * @param cause the cause; null if there is none
     */
    public StorageException(String message, @Nullable String queue, @Nullable String id, @Nullable Throwable cause) {
        super(message, queue, id, cause);
    }
}
