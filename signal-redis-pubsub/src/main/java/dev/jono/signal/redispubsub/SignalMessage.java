package dev.jono.signal.redispubsub;

import dev.jono.spi.Signal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes the messages on a queue's channel in keuss's format: the due time in decimal milliseconds, or {@code p
 * true} and {@code p false} for paused and resumed.
 */
final class SignalMessage {
    /** The latest time that JavaScript can represent. A later one would end a Node process. */
    static final long LAST_MILLIS = 8_640_000_000_000_000L;

    /** The smallest value that means now. After a 0, waiting Node processes would sleep for a whole poll interval. */
    static final long NOW_MILLIS = 1;

    private static final String PAUSED = "p true";
    private static final String RESUMED = "p false";

    private SignalMessage() {}

    static byte[] encode(Signal signal) {
        String text = switch (signal.kind()) {
            case INSERTED -> Long.toString(Math.min(LAST_MILLIS, Math.max(NOW_MILLIS, signal.dueMillis())));
            case PAUSED -> PAUSED;
            case RESUMED -> RESUMED;
        };
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The signal in a message; null if it is in another format. */
    static @Nullable Signal decode(String queue, byte[] message) {
        String text = new String(message, StandardCharsets.UTF_8);
        if (text.equals(PAUSED)) {
            return Signal.paused(queue);
        }
        if (text.equals(RESUMED)) {
            return Signal.resumed(queue);
        }
        // All valid times have at most 16 digits.
        if (text.length() > 16 || !text.matches("[0-9]+")) {
            return null;
        }
        // keuss sends 0 for a message that returns at once.
        return Signal.inserted(queue, Math.max(NOW_MILLIS, Long.parseLong(text)));
    }
}
