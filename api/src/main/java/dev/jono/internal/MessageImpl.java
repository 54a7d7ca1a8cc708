package dev.jono.internal;

import dev.jono.BrowsedMessage;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.spi.StoredMessage;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** A message that was popped, or is looked at. */
final class MessageImpl<T> implements BrowsedMessage<T> {
    private final String queue;
    private final StoredMessage message;
    private final Supplier<T> payload;

    MessageImpl(String queue, StoredMessage message, Supplier<T> payload) {
        this.queue = queue;
        this.message = message;
        this.payload = payload;
    }

    @Override
    public String id() {
        return message.id();
    }

    @Override
    public String queue() {
        return queue;
    }

    @Override
    public T payload() {
        return payload.get();
    }

    @Override
    public EncodedPayload raw() {
        return message.payload();
    }

    @Override
    public Headers headers() {
        return message.headers();
    }

    @Override
    public int tries() {
        return message.tries();
    }

    @Override
    public Instant dueAt() {
        return Instant.ofEpochMilli(message.dueMillis());
    }

    @Override
    public Optional<Instant> pushedAt() {
        return message.pushedMillis() == 0
                ? Optional.empty()
                : Optional.of(Instant.ofEpochMilli(message.pushedMillis()));
    }

    @Override
    public State state() {
        return switch (message.state()) {
            case READY -> State.READY;
            case SCHEDULED -> State.SCHEDULED;
            case RESERVED -> State.RESERVED;
            case PROCESSED -> State.PROCESSED;
        };
    }

    @Override
    public String cursor() {
        String cursor = message.cursor();
        return cursor == null ? "" : cursor;
    }

    @Override
    public String toString() {
        return "message " + id() + " of queue '" + queue + "'";
    }
}
