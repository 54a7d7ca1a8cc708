package dev.jono;

import org.jspecify.annotations.Nullable;

/**
 * The codec could not decode a payload. The message goes back after a growing delay, as after a retry; after its last
 * delivery it goes to the dead-letter queue. {@link #raw()} has the stored payload.
 */
public final class UndecodableException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable EncodedPayload raw;

    /**
     * An exception for one message.
     *
     * @param reason the failure of the codec in words
     */
    public UndecodableException(String queue, String id, EncodedPayload raw, String reason, Throwable cause) {
        super(
                "payload of message " + id + " in queue '" + queue + "' (" + raw + ") cannot be decoded: "
                        + reason
                        + "; it is kept unchanged: retried later, and moved to the dead letters after its last delivery",
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
