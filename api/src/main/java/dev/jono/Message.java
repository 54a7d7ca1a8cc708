package dev.jono;

import java.time.Instant;
import java.util.Optional;

/**
 * A message that was handed out, or read without taking it. Immutable and thread-safe.
 *
 * @param <T> the type of the payload
 */
public interface Message<T> {
    /** The id; the same at each delivery. */
    String id();

    /** The name of its queue. */
    String queue();

    /**
     * The payload, never null.
     *
     * @throws UndecodableException if the message was only read, and its payload cannot be decoded
     */
    T payload();

    /** The encoded payload, as it is stored. */
    EncodedPayload raw();

    /** The headers. */
    Headers headers();

    /** The ordering key; empty if the message has none. */
    default Optional<String> key() {
        return Optional.ofNullable(headers().string(Headers.KEY));
    }

    /** The number of earlier deliveries under a reservation, including those whose lease expired; 0 at the first. */
    int tries();

    /** The number of this delivery, 1 at the first. */
    default int attempt() {
        return tries() + 1;
    }

    /** The due time, by the storage's clock. */
    Instant dueAt();

    /** The time at which it was stored, by the storage's clock; empty if the layout does not store it. */
    Optional<Instant> pushedAt();
}
