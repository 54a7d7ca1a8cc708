package dev.jono.internal.core;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.spi.StoredMessage;
import java.time.Instant;
import java.util.Optional;

/** A message of the API that shows its stored form. Called on any thread. */
public interface StoredView<T> extends Message<T> {
    /** The message as the storage returned it. */
    StoredMessage stored();

    @Override
    default String id() {
        return stored().id();
    }

    @Override
    default EncodedPayload raw() {
        return stored().payload();
    }

    @Override
    default Headers headers() {
        return stored().headers();
    }

    @Override
    default int tries() {
        return stored().tries();
    }

    @Override
    default Instant dueAt() {
        return Instant.ofEpochMilli(stored().dueMillis());
    }

    @Override
    default Optional<Instant> pushedAt() {
        return Optional.of(stored().pushedMillis())
                .filter(millis -> millis != 0)
                .map(Instant::ofEpochMilli);
    }
}
