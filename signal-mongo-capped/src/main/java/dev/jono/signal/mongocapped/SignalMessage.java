package dev.jono.signal.mongocapped;

import dev.jono.spi.Signal;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A signal as keuss has it: {@code event} names the queue, {@code message} is the due time in milliseconds, as a number, or
 * {@code p true} and {@code p false} for paused and resumed.
 */
final class SignalMessage {
    /** The largest time that JavaScript knows: a Node process dies of anything beyond. */
    static final long LAST_MILLIS = 8_640_000_000_000_000L;

    /** The least that means now; 0 would put waiting Node processes to sleep for a whole poll interval. */
    static final long NOW_MILLIS = 1;

    /** What the events of all namespaces are like. */
    static final BsonRegularExpression EVENT = new BsonRegularExpression("^keuss:signal:");

    private static final String PAUSED = "p true";
    private static final String RESUMED = "p false";

    private SignalMessage() {}

    /** What all events of a namespace begin with. */
    static String prefix(String namespace) {
        return "keuss:signal:" + namespace + ':';
    }

    /** Without an id: the server gives it, and a client's clock does not order them. */
    static BsonDocument encode(String prefix, Signal signal) {
        BsonValue message = switch (signal.kind()) {
            case INSERTED -> new BsonDouble(Math.min(LAST_MILLIS, Math.max(NOW_MILLIS, signal.dueMillis())));
            case PAUSED -> new BsonString(PAUSED);
            case RESUMED -> new BsonString(RESUMED);
        };
        return new BsonDocument("event", new BsonString(prefix + signal.queue())).append("message", message);
    }

    /** What a document tells of a queue of this namespace; null if it is none of ours, which is ignored. */
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
            // 16 digits hold all times there are.
            default -> text.matches("[0-9]{1,16}") ? inserted(queue, Double.parseDouble(text)) : null;
        };
    }

    private static @Nullable Signal inserted(String queue, double millis) {
        // keuss sends 0 for what came back at once.
        return Double.isNaN(millis)
                ? null
                : Signal.inserted(queue, (long) Math.min(LAST_MILLIS, Math.max(NOW_MILLIS, millis)));
    }
}
