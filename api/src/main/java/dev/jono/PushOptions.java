package dev.jono;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How to push a message: when it is due, its headers, and its count of tries. Immutable.
 *
 * <pre>{@code
 * jono.queue("reminders", String.class)
 *         .push("pay invoice 17", PushOptions.delay(Duration.ofHours(24)).header("customer", "c-42"));
 * }</pre>
 */
public final class PushOptions {
    private static final PushOptions NONE = new PushOptions(Duration.ZERO, Optional.empty(), Headers.empty(), 0);

    private final Duration delay;
    private final Optional<Instant> dueAt;
    private final Headers headers;
    private final int tries;

    private PushOptions(Duration delay, Optional<Instant> dueAt, Headers headers, int tries) {
        this.delay = delay;
        this.dueAt = dueAt;
        this.headers = headers;
        this.tries = tries;
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
        return new PushOptions(Durations.check(delay, "delay"), Optional.empty(), Headers.empty(), 0);
    }

    /**
     * Due at an instant, by the storage's clock. A message with an instant in the past is due at once, and is handed out
     * before messages with later due times.
     *
     * @throws IllegalArgumentException if the instant is before 1970 or after 9999
     */
    public static PushOptions at(Instant dueAt) {
        return new PushOptions(Duration.ZERO, Optional.of(checked(dueAt)), Headers.empty(), 0);
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
        return new PushOptions(delay, dueAt, headers.with(name, value), tries);
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
        return new PushOptions(delay, dueAt, headers, initial);
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
