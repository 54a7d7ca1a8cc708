package dev.jono;

/** A message that is about to be stored, as an {@link Interceptor} sees it. Immutable. */
public final class OutgoingMessage {
    private final String queue;
    private final EncodedPayload payload;
    private final Headers headers;

    private OutgoingMessage(String queue, EncodedPayload payload, Headers headers) {
        this.queue = queue;
        this.payload = payload;
        this.headers = headers;
    }

    /** Returns a message for a queue. */
    public static OutgoingMessage of(String queue, EncodedPayload payload, Headers headers) {
        return new OutgoingMessage(queue, payload, headers);
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
        return new OutgoingMessage(queue, value, headers);
    }

    /** Returns the same message with one more header. {@link Headers#with} says which names and values are allowed. */
    public OutgoingMessage header(String name, Object value) {
        return new OutgoingMessage(queue, payload, headers.with(name, value));
    }
}
