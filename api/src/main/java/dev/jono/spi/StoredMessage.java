package dev.jono.spi;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A message as the storage holds it. Take, claim and browse return it, and restore accepts it. Immutable. */
public final class StoredMessage {
    private final String id;
    private final EncodedPayload payload;
    private final Headers headers;
    private final int tries;
    private final long dueMillis;
    private final long pushedMillis;
    private final long leaseEndMillis;
    private final State state;
    private final boolean expired;
    private final boolean isolated;
    private final boolean firstDelivery;
    private final @Nullable Receipt receipt;
    private final @Nullable String cursor;
    private final @Nullable String fault;

    private StoredMessage(Builder b) {
        this.id = Objects.requireNonNull(b.id, "id");
        this.payload = Objects.requireNonNull(b.payload, "payload");
        this.headers = b.headers;
        this.tries = b.tries;
        this.dueMillis = b.dueMillis;
        this.pushedMillis = b.pushedMillis;
        this.leaseEndMillis = b.leaseEndMillis;
        this.state = b.state;
        this.expired = b.expired;
        this.isolated = b.isolated;
        this.firstDelivery = b.firstDelivery;
        this.receipt = b.receipt;
        this.cursor = b.cursor;
        this.fault = b.fault;
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The id; the same at each delivery. */
    public String id() {
        return id;
    }

    /** The payload as it was stored, byte for byte. */
    public EncodedPayload payload() {
        return payload;
    }

    /** The headers. */
    public Headers headers() {
        return headers;
    }

    /** The ordering key, which is the header {@link Headers#KEY}; null if the message has none. */
    public @Nullable String key() {
        return headers.string(Headers.KEY);
    }

    /** The number of earlier deliveries under a reservation, including those whose lease expired; 0 at the first. */
    public int tries() {
        return tries;
    }

    /**
     * The due time by the storage's clock, in milliseconds since the epoch. For a reserved message it is the due time
     * from before the claim, so that giving the message back keeps its place.
     */
    public long dueMillis() {
        return dueMillis;
    }

    /**
     * The time at which the message was stored by the storage's clock, in milliseconds since the epoch; 0 if the layout
     * does not store it.
     */
    public long pushedMillis() {
        return pushedMillis;
    }

    /**
     * The end of the current lease by the storage's clock, in milliseconds since the epoch; 0 if the message is not
     * reserved.
     */
    public long leaseEndMillis() {
        return leaseEndMillis;
    }

    /** The state when the storage read the message. */
    public State state() {
        return state;
    }

    /** True if a claim returned a message whose last reservation has expired unsettled. */
    public boolean expired() {
        return expired;
    }

    /**
     * True if a claim returned the message alone because of {@link ClaimRequest#isolateTries()} or {@link
     * ClaimRequest#isolateExpiredTries()}.
     */
    public boolean isolated() {
        return isolated;
    }

    /**
     * True if a claim is certain that nobody has held the message before. False also if it was inserted under a given id, moved or
     * restored, because it may have been held before that, and if the storage cannot tell. {@link #tries} does not decide it: a delivery
     * that was given back uncounted is not in that number.
     */
    public boolean firstDelivery() {
        return firstDelivery;
    }

    /** The right to settle the message; null unless it came from a claim. */
    public @Nullable Receipt receipt() {
        return receipt;
    }

    /** The position after this message, from which a browse can continue; null unless it came from a browse. */
    public @Nullable String cursor() {
        return cursor;
    }

    /**
     * The reason why the stored data cannot be read as a message, in words: another program wrote it, or it is damaged.
     * Null for a sound message. A backend sets it so that the call does not fail because of one message. The payload then
     * has the bytes that could be read, possibly none. The engine treats the message as undecodable, whatever the codec
     * is.
     */
    public @Nullable String fault() {
        return fault;
    }

    /** Returns the same message with another due time and number of tries, to restore it. */
    public StoredMessage with(long newDueMillis, int newTries) {
        return builder()
                .id(id)
                .payload(payload)
                .headers(headers)
                .tries(newTries)
                .dueMillis(newDueMillis)
                .pushedMillis(pushedMillis)
                .fault(fault)
                .build();
    }

    /** The state of a message. */
    public enum State {
        /** May be handed out now. */
        READY,
        /** Waits for its due time. */
        SCHEDULED,
        /** Waits for an earlier message of its ordering key. */
        BLOCKED,
        /** Reserved under a lease that has not ended. */
        RESERVED,
        /** Consumed, and kept in the history. */
        PROCESSED
    }

    /** A builder of {@link StoredMessage}. Not thread-safe. */
    public static final class Builder {
        private @Nullable String id;
        private @Nullable EncodedPayload payload;
        private Headers headers = Headers.empty();
        private int tries;
        private long dueMillis;
        private long pushedMillis;
        private long leaseEndMillis;
        private State state = State.READY;
        private boolean expired;
        private boolean isolated;
        private boolean firstDelivery;
        private @Nullable Receipt receipt;
        private @Nullable String cursor;
        private @Nullable String fault;

        private Builder() {}

        /** Sets {@link StoredMessage#id()}. */
        public Builder id(String value) {
            this.id = value;
            return this;
        }

        /** Sets {@link StoredMessage#payload()}. */
        public Builder payload(EncodedPayload value) {
            this.payload = value;
            return this;
        }

        /** Sets {@link StoredMessage#headers()}. */
        public Builder headers(Headers value) {
            this.headers = value;
            return this;
        }

        /** Sets {@link StoredMessage#tries()}. */
        public Builder tries(int value) {
            this.tries = value;
            return this;
        }

        /** Sets {@link StoredMessage#dueMillis()}. */
        public Builder dueMillis(long value) {
            this.dueMillis = value;
            return this;
        }

        /** Sets {@link StoredMessage#pushedMillis()}. */
        public Builder pushedMillis(long value) {
            this.pushedMillis = value;
            return this;
        }

        /** Sets {@link StoredMessage#leaseEndMillis()}. */
        public Builder leaseEndMillis(long value) {
            this.leaseEndMillis = value;
            return this;
        }

        /** Sets {@link StoredMessage#state()}. */
        public Builder state(State value) {
            this.state = value;
            return this;
        }

        /** Sets {@link StoredMessage#expired()}. */
        public Builder expired(boolean value) {
            this.expired = value;
            return this;
        }

        /** Sets {@link StoredMessage#isolated()}. */
        public Builder isolated(boolean value) {
            this.isolated = value;
            return this;
        }

        /** Sets {@link StoredMessage#firstDelivery()}; false if it is not set. */
        public Builder firstDelivery(boolean value) {
            this.firstDelivery = value;
            return this;
        }

        /** Sets {@link StoredMessage#receipt()}. */
        public Builder receipt(@Nullable Receipt value) {
            this.receipt = value;
            return this;
        }

        /** Sets {@link StoredMessage#cursor()}. */
        public Builder cursor(@Nullable String value) {
            this.cursor = value;
            return this;
        }

        /** Sets {@link StoredMessage#fault()}. */
        public Builder fault(@Nullable String value) {
            this.fault = value;
            return this;
        }

        /**
         * Builds the object.
         *
         * @throws NullPointerException if the id or the payload is missing
         */
        public StoredMessage build() {
            return new StoredMessage(this);
        }
    }
}
