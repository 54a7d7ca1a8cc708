package dev.jono.signal.mongocapped;

import dev.jono.spi.Signal;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The documents of signals, in the format of keuss: {@code event} names the queue; {@code message} is the due time in
 * milliseconds as a number, or {@code p true} for paused and {@code p false} for resumed. Stateless.
 */
final class SignalMessage {
    /** The largest time of JavaScript; a larger one crashes Node processes. */
    static final long LAST_MILLIS = 8_640_000_000_000_000L;

    /**
     * The smallest time, for messages that are due now. With 0, waiting Node processes would sleep for a whole poll
     * interval.
     */
    static final long NOW_MILLIS = 1;

    /** Matches the events of all namespaces. */
    static final BsonRegularExpression EVENT = new BsonRegularExpression("^keuss:signal:");

    private static final String PAUSED = "p true";
    private static final String RESUMED = "p false";

    private SignalMessage() {}

    /** The beginning of all events of a namespace. */
    static String prefix(String namespace) {
        return "keuss:signal:" + namespace + ':';
    }

    /** The document of a signal. It has no id: the server adds one, so that no client's clock decides the order. */
    static BsonDocument encode(String prefix, Signal signal) {
        BsonValue message = switch (signal.kind()) {
            case INSERTED -> new BsonDouble(Math.min(LAST_MILLIS, Math.max(NOW_MILLIS, signal.dueMillis())));
            case PAUSED -> new BsonString(PAUSED);
            case RESUMED -> new BsonString(RESUMED);
        };
        return new BsonDocument("event", new BsonString(prefix + signal.queue())).append("message", message);
    }

    /** The signal of a document; null if it is not a signal of this namespace. */
    static @Nullable Signal decode(String prefix, BsonDocument document) {
        BsonValue event = document.get("event");
        BsonValue message = document.get("message");
        if (event == null || !event.isString() || message == null) {
            return null;
        }
        String name = event.asString().getValue();
        if (!name.startsWith(prefix) || name.length() == prefix.length()) {
            return null;
        }
        String queue = name.substring(prefix.length());
        if (message.isNumber()) {
            return inserted(queue, message.asNumber().doubleValue());
        }
        if (!message.isString()) {
            return null;
        }
        String text = message.asString().getValue();
        return switch (text) {
            case PAUSED -> Signal.paused(queue);
            case RESUMED -> Signal.resumed(queue);
            // Valid times have at most 16 digits.
            default -> text.matches("[0-9]{1,16}") ? inserted(queue, Double.parseDouble(text)) : null;
        };
    }

    private static @Nullable Signal inserted(String queue, double millis) {
        // keuss sends 0 for a message that is given back without a delay.
        return Double.isNaN(millis)
                ? null
                : Signal.inserted(queue, (long) Math.min(LAST_MILLIS, Math.max(NOW_MILLIS, millis)));
    }
}
