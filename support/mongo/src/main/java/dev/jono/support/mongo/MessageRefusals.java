package dev.jono.support.mongo;

import dev.jono.EncodingException;
import org.jspecify.annotations.Nullable;

/** The exceptions for messages that MongoDB cannot store. */
public final class MessageRefusals {
    private MessageRefusals() {}

    /**
     * The exception for one message.
     *
     * @param step the step that would store it, such as {@code push}
     * @param id the id; null if the message has none yet
     * @param reason why MongoDB cannot store it
     */
    public static EncodingException notStorable(
            String step, String queue, @Nullable String id, @Nullable String reason) {
        String message = id == null ? "" : ", message " + id;
        return new EncodingException(
                step + " on queue '" + queue + "'" + message + " failed: MongoDB cannot store the message: " + reason,
                queue,
                id,
                null);
    }

    /** The reason if a document of this size is too large. */
    public static String tooLarge(int bytes) {
        return "its document would have " + bytes
                + " bytes, and the limit is 16 MiB; store large data in another place and push a reference to it";
    }
}
