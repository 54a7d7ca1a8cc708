package dev.jono.backend.mongo;

import dev.jono.EncodingException;
import dev.jono.support.mongo.MessageRefusals;
import org.jspecify.annotations.Nullable;

/** The size that a message's document can have. */
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
            throw MessageRefusals.notStorable(step, queue, id, MessageRefusals.tooLarge(bytes));
        }
    }
}
