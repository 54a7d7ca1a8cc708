package dev.jono;

import java.time.Instant;
import java.util.Optional;

/**
 * A message that was handed out, or is looked at. Immutable, thread-safe.
 *
 * @param <T> the payload's type
 */
public interface Message<T> {
    /** Its id, stable over redelivery. */
    String id();

    /** The queue it was in. */
    String queue();

    /**
     * The payload, never null.
     *
     * @throws UndecodableException for a message that is only looked at, if its payload cannot be decoded
     */
    T payload();

    /** The payload as it is stored. */
    EncodedPayload raw();

    /** Its headers. */
    Headers headers();

    /** Earlier deliveries under a reservation, expired ones included; 0 at the first. */
    int tries();

    /** Which delivery this is: 1 at the first. */
    default int attempt() {
        return tries() + 1;
    }

    /** When it was due, by the storage's clock. */
    Instant dueAt();

    /** When it was stored, by the storage's clock; empty where the layout does not record it. */
    Optional<Instant> pushedAt();
}
