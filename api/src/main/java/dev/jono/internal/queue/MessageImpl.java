package dev.jono.internal.queue;

import dev.jono.BrowsedMessage;
import dev.jono.Message;
import dev.jono.internal.core.QueueCore;
import dev.jono.internal.core.StoredView;
import dev.jono.spi.StoredMessage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A popped or browsed message. A browsed one is decoded by the call of {@link #payload}. Thread-safe if the codec is. */
final class MessageImpl<T> implements BrowsedMessage<T>, StoredView<T> {
    private final String queue;
    private final StoredMessage message;
    private final @Nullable QueueCore poppedFrom;
    private final Supplier<T> payload;

    /**
     * A popped or browsed message.
     *
     * @param poppedFrom the queue that it was popped from; null if it is browsed
     */
    MessageImpl(String queue, StoredMessage message, @Nullable QueueCore poppedFrom, Supplier<T> payload) {
        this.queue = queue;
        this.message = message;
        this.poppedFrom = poppedFrom;
        this.payload = payload;
    }

    /**
     * The stored form of a popped message.
     *
     * @throws IllegalArgumentException if it was not popped from this queue
     */
    static StoredMessage popped(Message<?> message, QueueCore from) {
        if (message instanceof MessageImpl<?> ours && ours.poppedFrom == from) {
            return ours.message;
        }
        throw new IllegalArgumentException("message " + message.id() + " of queue '" + message.queue()
                + "' was not popped from this queue '" + from.name + "', and cannot be restored to it");
    }

    @Override
    public StoredMessage stored() {
        return message;
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
    public State state() {
        return switch (message.state()) {
            case READY -> State.READY;
            case SCHEDULED -> State.SCHEDULED;
            case BLOCKED -> State.BLOCKED;
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
