package dev.jono.signal.postgres;

import dev.jono.spi.Signal;
import org.jspecify.annotations.Nullable;

/** Signals as payloads of {@code NOTIFY}: a letter, the due time, the namespace and the queue, with spaces between them. */
final class SignalMessage {
    private static final int PARTS = 4;

    private SignalMessage() {}

    /** The channel of all signals of a schema. */
    static String channel(String schema) {
        return "jono_signal_" + schema;
    }

    static String encode(String namespace, Signal signal) {
        String kind = switch (signal.kind()) {
            case INSERTED -> "i";
            case PAUSED -> "p";
            case RESUMED -> "r";
        };
        return kind + ' ' + signal.dueMillis() + ' ' + namespace + ' ' + signal.queue();
    }

    /** The signal; null if it is one of another namespace, or none at all. */
    static @Nullable Signal decode(String namespace, String payload) {
        String[] parts = payload.split(" ", PARTS);
        if (parts.length < PARTS || !parts[2].equals(namespace)) {
            return null;
        }
        return switch (parts[0]) {
            case "i" -> inserted(parts[3], parts[1]);
            case "p" -> Signal.paused(parts[3]);
            case "r" -> Signal.resumed(parts[3]);
            default -> null;
        };
    }

    private static @Nullable Signal inserted(String queue, String dueMillis) {
        try {
            return Signal.inserted(queue, Long.parseLong(dueMillis));
        } catch (NumberFormatException foreign) {
            return null;
        }
    }
}
