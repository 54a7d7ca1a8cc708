package dev.jono;

import org.jspecify.annotations.Nullable;

/** The storage failed or refused, and certainly did not do what was asked; trying again may help. */
public class StorageException extends JonoException {
    private static final long serialVersionUID = 1L;

    /** What happened, to which queue and message where that is known, and why. */
    public StorageException(String message, @Nullable String queue, @Nullable String id, @Nullable Throwable cause) {
        super(message, queue, id, cause);
    }
}
