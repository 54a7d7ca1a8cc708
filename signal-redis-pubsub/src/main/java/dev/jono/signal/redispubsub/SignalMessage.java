package dev.jono.signal.redispubsub;

import dev.jono.spi.Signal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What travels on a queue's channel, as keuss has it: the due time in decimal milliseconds, or {@code p true} and {@code
 * p false} for paused and resumed.
 */
final class SignalMessage {
    /** The largest time that JavaScript knows: a Node process dies of anything beyond. */
    static final long LAST_MILLIS = 8_640_000_000_000_000L;

    /** The least that means now; 0 would put waiting Node processes to sleep for a whole poll interval. */
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

    /** What a message tells of a queue; null if it is none of ours, which is ignored. */
    static @Nullable Signal decode(String queue, byte[] message) {
        String text = new String(message, StandardCharsets.UTF_8);
        if (text.equals(PAUSED)) {
            return Signal.paused(queue);
        }
        if (text.equals(RESUMED)) {
            return Signal.resumed(queue);
        }
        // 16 digits hold all times there are.
        if (text.length() > 16 || !text.matches("[0-9]+")) {
            return null;
        }
        // keuss sends 0 for what came back at once.
        return Signal.inserted(queue, Math.max(NOW_MILLIS, Long.parseLong(text)));
    }
}
