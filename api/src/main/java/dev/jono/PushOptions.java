package dev.jono;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How to push a message: when it is due, its headers, its count of tries, its ordering key, the key that makes it unique, and
 * the transaction that it is part of. Immutable.
 *
 * <pre>{@code
 * jono.queue("reminders", String.class)
 *         .push("pay invoice 17", PushOptions.delay(Duration.ofHours(24)).header("customer", "c-42"));
 * }</pre>
 */
public final class PushOptions {
    private static final PushOptions NONE =
            new PushOptions(Duration.ZERO, Optional.empty(), Headers.empty(), 0, null, null);

    private final Duration delay;
    private final Optional<Instant> dueAt;
    private final Headers headers;
    private final int tries;
    private final @Nullable UniqueKey unique;
    private final @Nullable Tx tx;

    private PushOptions(
            Duration delay,
            Optional<Instant> dueAt,
            Headers headers,
            int tries,
            @Nullable UniqueKey unique,
            @Nullable Tx tx) {
        this.delay = delay;
        this.dueAt = dueAt;
        this.headers = headers;
        this.tries = tries;
        this.unique = unique;
        this.tx = tx;
    }

    /** Due at once, without headers. */
    public static PushOptions none() {
        return NONE;
    }

    /**
     * Due after a delay, by the storage's clock.
     *
     * @throws IllegalArgumentException if the delay is negative or longer than ten years
     */
    public static PushOptions delay(Duration delay) {
        return new PushOptions(Durations.check(delay, "delay"), Optional.empty(), Headers.empty(), 0, null, null);
    }

    /**
     * Due at an instant, by the storage's clock. A message with an instant in the past is due at once, and is handed out
     * before messages with later due times.
     *
     * @throws IllegalArgumentException if the instant is before 1970 or after 9999
     */
    public static PushOptions at(Instant dueAt) {
        return new PushOptions(Duration.ZERO, Optional.of(checked(dueAt)), Headers.empty(), 0, null, null);
    }

    private static Instant checked(Instant dueAt) {
        if (dueAt.isBefore(Instant.EPOCH) || dueAt.isAfter(Instant.ofEpochSecond(253_402_300_799L))) {
            throw new IllegalArgumentException("due time must lie between 1970 and 9999: " + dueAt);
        }
        return dueAt;
    }

    /**
     * These options and a header.
     *
     * @param value a string, an integer number, a floating-point number or a boolean
     * @throws IllegalArgumentException if the name is not allowed, or begins with {@code x-}, or the value's type is
     *     not allowed
     */
    public PushOptions header(String name, Object value) {
        return new PushOptions(delay, dueAt, headers.with(name, value), tries, unique, tx);
    }

    /**
     * These options with a number of deliveries that count as already made.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public PushOptions tries(int initial) {
        if (initial < 0) {
            throw new IllegalArgumentException("tries must not be negative: " + initial);
        }
        return new PushOptions(delay, dueAt, headers, initial, unique, tx);
    }

    /**
     * These options with an ordering key. Messages of one key are handed out in the order in which they were pushed, and
     * none is handed out while an earlier one is held, waits for a retry, or is scheduled. The queue must have been opened
     * with {@link QueueOptions.Builder#keyed()}. The key is stored as the header {@link Headers#KEY}.
     *
     * @param key 1 to 256 characters
     * @throws IllegalArgumentException if the key is empty or too long
     */
    public PushOptions key(String key) {
        Headers keyed = Headers.fromStored(Map.of(Headers.KEY, Keys.check(key, "key")));
        return new PushOptions(delay, dueAt, headers.merged(Set.of(), keyed), tries, unique, tx);
    }

    /**
     * These options with a key that makes the push unique: if the queue got a push under this key within the window before,
     * nothing is stored, and the result is a {@linkplain PushResult#duplicate() duplicate} with the id of that message.
     * The window begins when the storage stores the first message, by its clock, and does not end when that message is
     * consumed; {@link MessageQueue#forget} ends it.
     *
     * @param key 1 to 256 characters
     * @param window from a millisecond to ten years
     * @throws IllegalArgumentException if the key or the window is not allowed
     */
    public PushOptions unique(String key, Duration window) {
        return new PushOptions(delay, dueAt, headers, tries, UniqueKey.of(null, key, window), tx);
    }

    /**
     * As {@link #unique(String, Duration)}, with keys that all queues share which use the same scope. On Redis Cluster these
     * queues must be in one slot.
     *
     * @param scope 1 to 256 characters
     */
    public PushOptions unique(String scope, String key, Duration window) {
        return new PushOptions(delay, dueAt, headers, tries, UniqueKey.of(scope, key, window), tx);
    }

    /**
     * These options, as part of a transaction of the application: the message is stored when the transaction commits, and never
     * when it is rolled back. The push runs on the calling thread, on the connection of the transaction, and is never
     * repeated; after a failure roll the transaction back. Works with {@link MessageQueue#push} and {@link
     * MessageQueue#pushAll}, not with their async forms. Needs {@link Capability#TRANSACTION}.
     */
    public PushOptions in(Tx tx) {
        return new PushOptions(delay, dueAt, headers, tries, unique, Objects.requireNonNull(tx, "tx"));
    }

    /** The transaction that the push is part of; empty when it is part of none. */
    public Optional<Tx> tx() {
        return Optional.ofNullable(tx);
    }

    /** The ordering key; empty when there is none. */
    public Optional<String> key() {
        return Optional.ofNullable(headers.string(Headers.KEY));
    }

    /** The key that makes the push unique; empty when there is none. */
    public Optional<UniqueKey> unique() {
        return Optional.ofNullable(unique);
    }

    /** The delay; zero when none is given. */
    public Duration delay() {
        return delay;
    }

    /** The due time; empty when the delay decides. */
    public Optional<Instant> dueAt() {
        return dueAt;
    }

    /** The headers. */
    public Headers headers() {
        return headers;
    }

    /** Deliveries that count as already made. */
    public int tries() {
        return tries;
    }
}
