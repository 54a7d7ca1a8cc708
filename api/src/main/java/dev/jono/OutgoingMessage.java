package dev.jono;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message that is about to be stored, as an {@link Interceptor} sees it. Immutable. An interceptor that changes it should derive
 * the changed message from the given one, so that attributes of other interceptors are kept.
 */
public final class OutgoingMessage {
    private final String queue;
    private final EncodedPayload payload;
    private final Headers headers;
    private final @Nullable Attribute attributes;

    /** An attribute, and those that were set before it. */
    private record Attribute(
            Object key, Object value, @Nullable Attribute earlier) {}

    private OutgoingMessage(String queue, EncodedPayload payload, Headers headers, @Nullable Attribute attributes) {
        this.queue = queue;
        this.payload = payload;
        this.headers = headers;
        this.attributes = attributes;
    }

    /** Returns a message for a queue. */
    public static OutgoingMessage of(String queue, EncodedPayload payload, Headers headers) {
        return new OutgoingMessage(queue, payload, headers, null);
    }

    /** The name of the queue. */
    public String queue() {
        return queue;
    }

    /** The encoded payload. */
    public EncodedPayload payload() {
        return payload;
    }

    /** The headers. */
    public Headers headers() {
        return headers;
    }

    /** Returns the same message with another payload. */
    public OutgoingMessage payload(EncodedPayload value) {
        return new OutgoingMessage(queue, value, headers, attributes);
    }

    /** Returns the same message with one more header. {@link Headers#with} says which names and values are allowed. */
    public OutgoingMessage header(String name, Object value) {
        return new OutgoingMessage(queue, payload, headers.with(name, value), attributes);
    }

    /**
     * Returns the same message with one more attribute: an object that {@link Interceptor#pushed} gets with the message. Attributes
     * are not stored.
     *
     * @param key for example the interceptor itself; compared by equals
     */
    public OutgoingMessage attribute(Object key, Object value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        return new OutgoingMessage(queue, payload, headers, new Attribute(key, value, attributes));
    }

    /** The attribute that was set last with this key; null if there is none. */
    public @Nullable Object attribute(Object key) {
        Attribute each = attributes;
        while (each != null && !each.key.equals(key)) {
            each = each.earlier;
        }
        return each == null ? null : each.value;
    }
}
