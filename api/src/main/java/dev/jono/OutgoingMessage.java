package dev.jono;

/** A message on its way into the storage. Immutable. */
public final class OutgoingMessage {
    private final String queue;
    private final EncodedPayload payload;
    private final Headers headers;

    private OutgoingMessage(String queue, EncodedPayload payload, Headers headers) {
        this.queue = queue;
        this.payload = payload;
        this.headers = headers;
    }

    /** A message for a queue. */
    public static OutgoingMessage of(String queue, EncodedPayload payload, Headers headers) {
        return new OutgoingMessage(queue, payload, headers);
    }

    /** The queue. */
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

    /** The same with another payload. */
    public OutgoingMessage payload(EncodedPayload value) {
        return new OutgoingMessage(queue, value, headers);
    }

    /** The same with one more header; see {@link Headers#with}, which says what is refused. */
    public OutgoingMessage header(String name, Object value) {
        return new OutgoingMessage(queue, payload, headers.with(name, value));
    }
}
