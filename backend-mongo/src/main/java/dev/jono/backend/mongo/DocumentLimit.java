package dev.jono.backend.mongo;

import dev.jono.EncodingException;
import org.jspecify.annotations.Nullable;

/** The size that MongoDB allows for a document, and the refusal of messages that MongoDB cannot store. */
final class DocumentLimit {
    /** Room for the fields that a claim adds, and for the headers of a dead letter. */
    static final int MARGIN_BYTES = 16 << 10;

    /** The server's limit without that room. */
    private static final int MAX_BYTES = (16 << 20) - MARGIN_BYTES;

    private DocumentLimit() {}

    /**
     * Refuses a document that is too large; otherwise the server or the driver would refuse the whole batch.
     *
     * @throws EncodingException if it is too large
     */
    static void require(String step, String queue, @Nullable String id, int bytes) {
        if (bytes > MAX_BYTES) {
            throw refusal(
                    step,
                    queue,
                    id,
                    "its document has " + bytes + " bytes, and the limit is 16 MiB: store large data elsewhere");
        }
    }

    /** The exception for a message that MongoDB cannot store. */
    static EncodingException refusal(String step, String queue, @Nullable String id, @Nullable String reason) {
        String message = id == null ? "" : ", message " + id;
        return new EncodingException(
                step + " on queue '" + queue + "'" + message + " was refused, as MongoDB cannot store it: " + reason,
                queue,
                id,
                null);
    }
}
