package dev.jono.outbox;

import dev.jono.Codec;
import dev.jono.QueueFactory;
import dev.jono.TypeRef;
import dev.jono.spi.ConnectedFactory;
import java.lang.reflect.Type;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * A table in the database of the application, from which messages are relayed to queues. A message is stored in the
 * application's own transaction, with its data, and the queue may be in another storage: data in PostgreSQL and a queue in
 * Redis, for example. Where both are in one database, {@link dev.jono.PushOptions#in} does the same in one step.
 *
 * <pre>{@code
 * Outbox outbox = Outbox.on(database, jono).start();
 * OutboxQueue<Mail> mails = outbox.queue("mails", Mail.class);
 *
 * connection.setAutoCommit(false);
 * orders.insert(connection, order);
 * mails.push(connection, order.mail());
 * connection.commit();
 * outbox.committed();
 * }</pre>
 *
 * <p>The relay runs by itself, in each process that has an outbox; one of them relays at a time, and another takes over when
 * it ends. A message reaches its queue once, on backends that {@linkplain dev.jono.Capability#DEDUPLICATE deduplicate}: each is
 * pushed under its own id as unique key, so a relay that is repeated after a crash stores nothing. On other backends it can
 * reach the queue twice. Messages with the same ordering key reach their queue in the order of their commits; others in the
 * order of their pushes, as far as they have committed. A queue that is slow or fails holds up no other: its messages stay in the
 * table, and are tried again after a delay that grows up to 30 s.
 *
 * <p>Thread-safe. Close it before the factory.
 */
public final class Outbox implements AutoCloseable {
    private final QueueFactory jono;
    private final OutboxTable table;
    private final Relay relay;

    Outbox(QueueFactory jono, OutboxTable table, Relay relay) {
        this.jono = jono;
        this.table = table;
        this.relay = relay;
    }

    /**
     * A builder for an outbox.
     *
     * @param database of the application: PostgreSQL, SQLite or H2. The relay uses one connection of it at a time
     * @param jono has the queues. Options of queues, such as {@code keyed()}, are those of {@link
     *     dev.jono.QueueFactoryBuilder#queueOptions}; each process that relays must have the same
     */
    public static OutboxBuilder on(DataSource database, QueueFactory jono) {
        return new OutboxBuilder(database, jono);
    }

    /**
     * A queue to which the outbox relays.
     *
     * @param name as for {@link QueueFactory#queue(String, Class)}
     * @throws IllegalArgumentException if the name is not allowed
     */
    public <T> OutboxQueue<T> queue(String name, Class<T> type) {
        return queue(name, codec(type));
    }

    /** A queue of a generic type; see {@link #queue(String, Class)}. */
    public <T> OutboxQueue<T> queue(String name, TypeRef<T> type) {
        return queue(name, codec(type.type()));
    }

    /** A queue with a codec of its own; see {@link #queue(String, Class)}. */
    public <T> OutboxQueue<T> queue(String name, Codec<T> codec) {
        Objects.requireNonNull(codec, "codec");
        return new OutboxQueue<>(jono.queue(name, Codec.raw()), codec, table);
    }

    @SuppressWarnings("unchecked") // the codec of this type, as its factory promises
    private <T> Codec<T> codec(Type type) {
        return (Codec<T>) ((ConnectedFactory) jono).codec(Objects.requireNonNull(type, "type"));
    }

    /**
     * Reports that a transaction with messages has committed. If this process relays, it looks now. If another process relays,
     * that one finds the messages at its {@linkplain OutboxBuilder#pollInterval poll interval}.
     */
    public void committed() {
        relay.wake();
    }

    /**
     * The number of messages that are to be relayed, and have committed.
     *
     * @throws dev.jono.StorageException if the database fails
     */
    public long waiting() {
        return table.count(/* refused= */ false);
    }

    /**
     * The number of messages that no queue takes: they are too large, for example. They stay in the table, each with its
     * reason in the column {@code refusal}, until they are {@linkplain #retryRefused retried} or deleted.
     *
     * @throws dev.jono.StorageException if the database fails
     */
    public long refused() {
        return table.count(/* refused= */ true);
    }

    /**
     * Relays refused messages again.
     *
     * @return how many
     * @throws dev.jono.StorageException if the database fails
     */
    public int retryRefused() {
        int retried = table.retryRefused();
        relay.wake();
        return retried;
    }

    /** Ends the relay of this process, after the messages that it is relaying. Idempotent. */
    @Override
    public void close() {
        relay.close();
    }
}
