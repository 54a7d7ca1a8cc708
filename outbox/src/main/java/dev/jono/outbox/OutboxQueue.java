package dev.jono.outbox;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import java.sql.Connection;
import java.util.Objects;
import java.util.UUID;

/**
 * A queue to which an {@link Outbox} relays. Thread-safe, but a connection is used on the calling thread, and connections rarely
 * are.
 *
 * @param <T> the type of the payloads
 */
public final class OutboxQueue<T> {
    private final MessageQueue<EncodedPayload> queue;
    private final Codec<T> codec;
    private final OutboxTable table;

    OutboxQueue(MessageQueue<EncodedPayload> queue, Codec<T> codec, OutboxTable table) {
        this.queue = queue;
        this.codec = codec;
        this.table = table;
    }

    /** The name of the queue. */
    public String name() {
        return queue.name();
    }

    /** Stores a message that is due as soon as it is relayed; see {@link #push(Connection, Object, PushOptions)}. */
    public String push(Connection connection, T payload) {
        return push(connection, payload, PushOptions.none());
    }

    /**
     * Stores a message in the outbox, in the transaction of a connection. It is relayed after the commit, and leaves nothing
     * after a rollback. A delay counts from the relay on. With an ordering key, the transaction holds a lock: other
     * transactions that push with the same key, or one that shares its lock, wait for its end.
     *
     * @return the id in the outbox, which is the message's unique key in the queue, unless the options have one
     * @throws NullPointerException if the payload is null
     * @throws EncodingException if the payload cannot be encoded
     * @throws dev.jono.StorageException if the database refuses the row; then roll back
     * @throws IllegalArgumentException if the connection is in autocommit mode, or the options have a transaction of
     *     their own
     */
    public String push(Connection connection, T payload, PushOptions options) {
        Objects.requireNonNull(connection, "connection");
        Objects.requireNonNull(payload, () -> "payload for queue '" + name() + "' is null");
        if (options.tx().isPresent()) {
            throw new IllegalArgumentException("push to queue '" + name()
                    + "' by the outbox: its transaction is that of the connection, leave PushOptions.in out");
        }
        String id = UUID.randomUUID().toString();
        table.insert(connection, OutboxRow.of(id, name(), encode(payload, options), options));
        return id;
    }

    private EncodedPayload encode(T payload, PushOptions options) {
        try {
            return Objects.requireNonNull(codec.encode(payload, options.headers()), "the codec returned null");
        } catch (Exception failure) {
            throw new EncodingException(
                    "push to queue '" + name() + "' by the outbox: a payload of "
                            + payload.getClass().getName() + " cannot be encoded: " + failure,
                    name(),
                    null,
                    failure);
        }
    }
}
