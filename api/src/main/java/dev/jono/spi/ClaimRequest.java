package dev.jono.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How many messages to take or claim, and under which conditions. Immutable. */
public final class ClaimRequest {
    private final int max;
    private final long leaseMillis;
    private final int isolateTries;
    private final int isolateExpiredTries;
    private final int maxPerKey;
    private final @Nullable String consumer;
    private final String token;

    private ClaimRequest(Builder b) {
        this.max = b.max;
        this.leaseMillis = b.leaseMillis;
        this.isolateTries = b.isolateTries;
        this.isolateExpiredTries = b.isolateExpiredTries;
        this.maxPerKey = b.maxPerKey;
        this.consumer = b.consumer;
        this.token = Objects.requireNonNull(b.token, "token");
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Most messages to return, 1 or more, up to {@link BackendTraits#maxBatch()}. Default 1. */
    public int max() {
        return max;
    }

    /**
     * The length of the lease in milliseconds, from the storage's clock at the time of the call. A take does not read it.
     */
    public long leaseMillis() {
        return leaseMillis;
    }

    /**
     * A message with at least this many tries is returned alone: the claim ends before it, or returns only it, with
     * {@link StoredMessage#isolated()} set. Default {@code Integer.MAX_VALUE}: never. A take does not read it.
     */
    public int isolateTries() {
        return isolateTries;
    }

    /**
     * As {@link #isolateTries()}, for a message whose last lease has ended unsettled. Such a message may have stopped its
     * consumer, and must not do the same to its neighbours. Default {@code Integer.MAX_VALUE}: never.
     */
    public int isolateExpiredTries() {
        return isolateExpiredTries;
    }

    /**
     * Most messages of one ordering key that the call may return, 1 or more. The messages of a key are consecutive, in their
     * order, and next to each other in the result; one holder gets all of them. Default 1. Read only by queues of which one message per key may be
     * held at one time.
     */
    public int maxPerKey() {
        return maxPerKey;
    }

    /** The name that the consumer has chosen, for people to read; null if there is none. */
    public @Nullable String consumer() {
        return consumer;
    }

    /**
     * The token that names this call. A repeated call has the same token, and returns the messages of the first one; see
     * {@link BackendTraits#repeatable()}.
     */
    public String token() {
        return token;
    }

    /** A builder of {@link ClaimRequest}. Not thread-safe. */
    public static final class Builder {
        private int max = 1;
        private long leaseMillis;
        private int isolateTries = Integer.MAX_VALUE;
        private int isolateExpiredTries = Integer.MAX_VALUE;
        private int maxPerKey = 1;
        private @Nullable String consumer;
        private @Nullable String token;

        private Builder() {}

        /** Sets {@link ClaimRequest#max()}. */
        public Builder max(int value) {
            this.max = value;
            return this;
        }

        /** Sets {@link ClaimRequest#leaseMillis()}. */
        public Builder leaseMillis(long value) {
            this.leaseMillis = value;
            return this;
        }

        /** Sets {@link ClaimRequest#isolateTries()}. */
        public Builder isolateTries(int value) {
            this.isolateTries = value;
            return this;
        }

        /** Sets {@link ClaimRequest#isolateExpiredTries()}. */
        public Builder isolateExpiredTries(int value) {
            this.isolateExpiredTries = value;
            return this;
        }

        /** Sets {@link ClaimRequest#maxPerKey()}. */
        public Builder maxPerKey(int value) {
            this.maxPerKey = value;
            return this;
        }

        /** Sets {@link ClaimRequest#consumer()}. */
        public Builder consumer(@Nullable String value) {
            this.consumer = value;
            return this;
        }

        /** Sets {@link ClaimRequest#token()}. */
        public Builder token(String value) {
            this.token = value;
            return this;
        }

        /**
         * Builds the object.
         *
         * @throws NullPointerException if the token is missing
         */
        public ClaimRequest build() {
            return new ClaimRequest(this);
        }
    }
}
