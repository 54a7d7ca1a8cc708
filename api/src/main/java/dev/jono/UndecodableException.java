package dev.jono;

import org.jspecify.annotations.Nullable;

/**
 * The codec could not read a payload. The message went back with a growing delay, as after a retry, or to the
 * dead-letter queue when that was its last delivery; {@link #raw()} holds what was stored.
 */
public final class UndecodableException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable EncodedPayload raw;

    /**
     * For one message.
     *
     * @param reason what the codec says of its failure
     */
    public UndecodableException(String queue, String id, EncodedPayload raw, String reason, Throwable cause) {
        super(
                "payload of message " + id + " in queue '" + queue + "' (" + raw + ") cannot be decoded: "
                        + reason
                        + "; it is kept as it is: tried again later, and with the dead letters in the end",
                queue,
                id,
                cause);
        this.raw = raw;
    }

    /** The payload as it was stored; null only after serialization of this exception. */
    public @Nullable EncodedPayload raw() {
        return raw;
    }
}
