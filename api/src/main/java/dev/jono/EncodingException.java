package dev.jono;

import org.jspecify.annotations.Nullable;

/**
 * A message cannot be stored as it is: a codec or an interceptor failed on its payload, or the storage cannot hold it, such as a
 * document beyond a limit of MongoDB. Nothing was stored.
 */
public final class EncodingException extends JonoException {
    private static final long serialVersionUID = 1L;

    /**
     * An exception.
     *
     * @param message what happened, and why
     * @param queue the queue concerned; null if there is none
     * @param id the id of the message concerned; null if it has none yet
     * @param cause the failure of the codec, the interceptor or the storage; null if there is none
     */
    public EncodingException(String message, @Nullable String queue, @Nullable String id, @Nullable Throwable cause) {
        super(message, queue, id, cause);
    }
}
