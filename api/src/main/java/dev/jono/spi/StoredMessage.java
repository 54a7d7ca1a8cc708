package dev.jono.spi;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A message as the storage holds it: what take, claim and browse return, and what restore is given back. */
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
        this.receipt = b.receipt;
        this.cursor = b.cursor;
        this.fault = b.fault;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The id, stable over redelivery. */
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

    /** Earlier deliveries under a reservation, expired ones included; 0 at the first. */
    public int tries() {
        return tries;
    }

    /**
     * Due time, storage clock, milliseconds since the epoch. For a reserved message the time at which it was
     * due before it was claimed, so that giving it back keeps its place.
     */
    public long dueMillis() {
        return dueMillis;
    }

    /** When it was stored, storage clock, milliseconds since the epoch; 0 where the layout does not record it. */
    public long pushedMillis() {
        return pushedMillis;
    }

    /** End of the current lease, storage clock, milliseconds since the epoch; 0 when not reserved. */
    public long leaseEndMillis() {
        return leaseEndMillis;
    }

    /** What it was when the storage looked. */
    public State state() {
        return state;
    }

    /** True when a claim found it left over from a reservation that was never settled. */
    public boolean expired() {
        return expired;
    }

    /**
     * True when a claim returned it alone because of {@link ClaimRequest#isolateTries()} or {@link
     * ClaimRequest#isolateExpiredTries()}.
     */
    public boolean isolated() {
        return isolated;
    }

    /** The right to settle it; null unless it came from a claim. */
    public @Nullable Receipt receipt() {
        return receipt;
    }

    /** Where a browse may go on behind this message; null unless it came from a browse. */
    public @Nullable String cursor() {
        return cursor;
    }

    /**
     * Why this cannot be read as a message of Jono's, in words: something else wrote it, or it is damaged. The engine
     * treats it as undecodable, whatever the codec. The payload holds the bytes as far as there are any. Null for a sound
     * message. A backend sets this where it would have to fail the whole call for one message.
     */
    public @Nullable String fault() {
        return fault;
    }

    /** The same message with another due time and count of deliveries: what a restore of a changed message needs. */
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

    /** Where a message stands in its life. */
    public enum State {
        /** May be handed out now. */
        READY,
        /** Waits for its due time. */
        SCHEDULED,
        /** Held by somebody whose lease has not ended. */
        RESERVED,
        /** Consumed and kept as history. */
        PROCESSED
    }

    /** Builds one {@link StoredMessage}; not thread-safe. */
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

        /** The finished object; throws NullPointerException when a required part is missing. */
        public StoredMessage build() {
            return new StoredMessage(this);
        }
    }
}
