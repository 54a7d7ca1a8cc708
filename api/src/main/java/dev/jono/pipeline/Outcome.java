package dev.jono.pipeline;

import dev.jono.Durations;
import dev.jono.Headers;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a processor decides about a message: on to the next queue, to a chosen one, drop, retry or reject. Immutable.
 * A payload that is set replaces the message's; the type is checked when it is encoded by the target queue's codec.
 */
public final class Outcome {
    private final Kind kind;
    private final @Nullable String queue;
    private final @Nullable Object payload;
    private final Headers headers;
    private final @Nullable Duration delay;
    private final @Nullable String reason;

    private Outcome(
            Kind kind,
            @Nullable String queue,
            @Nullable Object payload,
            Headers headers,
            @Nullable Duration delay,
            @Nullable String reason) {
        this.kind = kind;
        this.queue = queue;
        this.payload = payload;
        this.headers = headers;
        this.delay = delay;
        this.reason = reason;
    }

    /** On to the link's next queue, unchanged; at a sink, done. */
    public static Outcome next() {
        return new Outcome(Kind.NEXT, null, null, Headers.empty(), null, null);
    }

    /** On to this queue, which must be one of the link's; any other is a failure. */
    public static Outcome to(String queue) {
        Objects.requireNonNull(queue, "queue");
        return new Outcome(Kind.NEXT, queue, null, Headers.empty(), null, null);
    }

    /** Out of the pipeline: the message is done. */
    public static Outcome drop() {
        return new Outcome(Kind.DROP, null, null, Headers.empty(), null, null);
    }

    /** Again, after the link's growing delay; the delivery counts. */
    public static Outcome retry() {
        return new Outcome(Kind.RETRY, null, null, Headers.empty(), null, null);
    }

    /** Again, after this delay; the delivery counts. */
    public static Outcome retry(Duration delay) {
        return new Outcome(Kind.RETRY, null, null, Headers.empty(), Durations.check(delay, "delay"), null);
    }

    /** To the dead-letter queue at once. */
    public static Outcome reject(String reason) {
        Objects.requireNonNull(reason, "reason");
        return new Outcome(Kind.REJECT, null, null, Headers.empty(), null, reason);
    }

    /**
     * The same with another payload.
     *
     * @throws NullPointerException if it is null
     * @throws IllegalStateException unless the message is to move on
     */
    public Outcome payload(Object value) {
        Objects.requireNonNull(value, "payload");
        movesOn("payload");
        return new Outcome(kind, queue, value, headers, delay, reason);
    }

    /**
     * The same with a header set.
     *
     * @param value a string, an integer number, a floating-point number or a boolean
     * @throws IllegalArgumentException if the name is not allowed, or begins with {@code x-}, or the value's type is
     *     not allowed
     * @throws IllegalStateException unless the message is to move on
     */
    public Outcome header(String name, Object value) {
        movesOn("header");
        return new Outcome(kind, queue, payload, headers.with(name, value), delay, reason);
    }

    /**
     * The same, due in the next queue, or tried again, after this delay.
     *
     * @throws IllegalStateException if the message is to be dropped or rejected
     */
    public Outcome delay(Duration value) {
        if (kind != Kind.RETRY) {
            movesOn("delay");
        }
        return new Outcome(kind, queue, payload, headers, Durations.check(value, "delay"), reason);
    }

    private void movesOn(String what) {
        if (kind != Kind.NEXT) {
            throw new IllegalStateException(
                    "an outcome " + kind + " takes no " + what + ": the message does not move on");
        }
    }

    /** What to do. */
    public Kind kind() {
        return kind;
    }

    /** The chosen queue; empty for the link's next. */
    public Optional<String> queue() {
        return Optional.ofNullable(queue);
    }

    /** The new payload; empty to keep the message's. */
    public Optional<Object> payload() {
        return Optional.ofNullable(payload);
    }

    /** Headers to set. */
    public Headers headers() {
        return headers;
    }

    /** A delay, in the next queue or before the retry; empty for none, or the link's growing one. */
    public Optional<Duration> delay() {
        return Optional.ofNullable(delay);
    }

    /** Why it is rejected; empty unless it is. */
    public Optional<String> reason() {
        return Optional.ofNullable(reason);
    }

    /** What to do with a message. */
    public enum Kind {
        /** Move it on. */
        NEXT,
        /** It is done. */
        DROP,
        /** Try again later. */
        RETRY,
        /** Give it up. */
        REJECT
    }
}
