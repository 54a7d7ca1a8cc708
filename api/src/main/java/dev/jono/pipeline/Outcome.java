package dev.jono.pipeline;

import dev.jono.Durations;
import dev.jono.Headers;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The decision of a processor about a message: move it on, end it, retry it or reject it. Immutable.
 *
 * <p>A payload that is set here replaces the payload of the message. The codec of the target queue checks its type when
 * it encodes it.
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

    /** Moves the message to the first target of the link. In a sink, the message is done. */
    public static Outcome next() {
        return new Outcome(Kind.NEXT, null, null, Headers.empty(), null, null);
    }

    /** Moves the message to this queue. If it is not a target of the link, the processor has failed. */
    public static Outcome to(String queue) {
        Objects.requireNonNull(queue, "queue");
        return new Outcome(Kind.NEXT, queue, null, Headers.empty(), null, null);
    }

    /** Ends the message: it is done, and leaves the pipeline. */
    public static Outcome drop() {
        return new Outcome(Kind.DROP, null, null, Headers.empty(), null, null);
    }

    /** Processes the message again after the link's delay, and counts the delivery. */
    public static Outcome retry() {
        return new Outcome(Kind.RETRY, null, null, Headers.empty(), null, null);
    }

    /**
     * Processes the message again after this delay, and counts the delivery.
     *
     * @throws IllegalArgumentException if the delay is negative or longer than ten years
     */
    public static Outcome retry(Duration delay) {
        return new Outcome(Kind.RETRY, null, null, Headers.empty(), Durations.check(delay, "delay"), null);
    }

    /**
     * Moves the message to the dead-letter queue at once.
     *
     * @param reason kept in the header {@link Headers#DL_ERROR}
     */
    public static Outcome reject(String reason) {
        Objects.requireNonNull(reason, "reason");
        return new Outcome(Kind.REJECT, null, null, Headers.empty(), null, reason);
    }

    /**
     * Returns the same outcome with another payload.
     *
     * @throws NullPointerException if the payload is null
     * @throws IllegalStateException unless the message is to move on
     */
    public Outcome payload(Object value) {
        Objects.requireNonNull(value, "payload");
        movesOn("payload");
        return new Outcome(kind, queue, value, headers, delay, reason);
    }

    /**
     * Returns the same outcome with a header set. Other headers of the message stay.
     *
     * @param name 1 to 64 ASCII letters, digits, {@code _} or {@code -}; must not begin with {@code x-}
     * @param value a string, an integer number, a floating-point number or a boolean
     * @throws IllegalArgumentException if the name or the type of the value is not allowed
     * @throws IllegalStateException unless the message is to move on
     */
    public Outcome header(String name, Object value) {
        movesOn("header");
        return new Outcome(kind, queue, payload, headers.with(name, value), delay, reason);
    }

    /**
     * Returns the same outcome with a delay, after which the message is due in the target queue, or is retried.
     *
     * @throws IllegalArgumentException if the delay is negative or longer than ten years
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

    /** What to do with the message. */
    public Kind kind() {
        return kind;
    }

    /** The name of the chosen queue; empty for the first target of the link. */
    public Optional<String> queue() {
        return Optional.ofNullable(queue);
    }

    /** The new payload; empty to keep the payload of the message. */
    public Optional<Object> payload() {
        return Optional.ofNullable(payload);
    }

    /** The headers to set. */
    public Headers headers() {
        return headers;
    }

    /**
     * The delay until the message is due in the target queue, or is retried. Empty for no delay, or for a retry after the
     * link's delay.
     */
    public Optional<Duration> delay() {
        return Optional.ofNullable(delay);
    }

    /** The reason of a rejection; otherwise empty. */
    public Optional<String> reason() {
        return Optional.ofNullable(reason);
    }

    /** What to do with a message. */
    public enum Kind {
        /** Move it to a target of the link. */
        NEXT,
        /** End it: it is done. */
        DROP,
        /** Process it again later. */
        RETRY,
        /** Move it to the dead-letter queue. */
        REJECT
    }
}
