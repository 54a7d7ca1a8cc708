package dev.jono;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler for a message that will never succeed. The worker moves the message to the dead-letter queue at
 * once.
 */
public final class RejectException extends JonoException {
    private static final long serialVersionUID = 1L;

    /**
     * Rejects a message.
     *
     * @param reason kept in the header {@link Headers#DL_ERROR}
     */
    public RejectException(String reason) {
        this(reason, null);
    }

    /**
     * Rejects a message.
     *
     * @param reason kept in the header {@link Headers#DL_ERROR}
     * @param cause the cause; null if there is none
     */
    public RejectException(String reason, @Nullable Throwable cause) {
        super(reason, null, null, cause);
    }
}
