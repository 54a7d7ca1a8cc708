package dev.jono.spi;

import dev.jono.Capability;
import java.util.Set;

/** What an opened backend can do, and its limits. Constant for the life of the connection. */
public final class BackendTraits {
    private final Set<Capability> capabilities;
    private final int maxBatch;
    private final int preferredBatch;
    private final int preferredTakeBatch;
    private final long maxBatchBytes;
    private final long maxPayloadBytes;
    private final int maxAckBatch;
    private final int maxConcurrentInserts;
    private final int maxConcurrentAcks;
    private final boolean repeatable;
    private final boolean prefersAcksByClaim;

    private BackendTraits(Builder b) {
        this.capabilities = Set.copyOf(b.capabilities);
        this.maxBatch = b.maxBatch;
        this.preferredBatch = b.preferredBatch;
        this.preferredTakeBatch = b.preferredTakeBatch == 0 ? b.preferredBatch : b.preferredTakeBatch;
        this.maxBatchBytes = b.maxBatchBytes;
        this.maxPayloadBytes = b.maxPayloadBytes;
        this.maxAckBatch = b.maxAckBatch == 0 ? b.maxBatch : Math.min(b.maxAckBatch, b.maxBatch);
        this.maxConcurrentInserts = b.maxConcurrentInserts;
        this.maxConcurrentAcks = b.maxConcurrentAcks;
        this.repeatable = b.repeatable;
        this.prefersAcksByClaim = b.prefersAcksByClaim;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** What this connection can do. */
    public Set<Capability> capabilities() {
        return capabilities;
    }

    /** The most messages that one call may carry or ask for; longer lists are split. */
    public int maxBatch() {
        return maxBatch;
    }

    /**
     * How many calls are enough to send while others are about to be begun; a call alone never waits. Small where the
     * calls of one batch are made ready while another is under way, large where each batch has a high price of its own, such
     * as a commit. The default, 32, lets half of 64 gather while the other half is under way.
     */
    public int preferredBatch() {
        return preferredBatch;
    }

    /**
     * The same for takes, of which nothing is made ready while another is under way. As {@link #preferredBatch()} unless it is
     * set.
     */
    public int preferredTakeBatch() {
        return preferredTakeBatch;
    }

    /**
     * Of so many messages at most the acks of several callers are joined in one batch; the list of one caller may have up to
     * {@link #maxBatch()}, which this is unless it is set, and at most.
     */
    public int maxAckBatch() {
        return maxAckBatch;
    }

    /** The most payload bytes that one insert may carry. */
    public long maxBatchBytes() {
        return maxBatchBytes;
    }

    /** The largest payload that the storage takes. */
    public long maxPayloadBytes() {
        return maxPayloadBytes;
    }

    /** How many inserts of one queue may be under way at once where order does not matter. */
    public int maxConcurrentInserts() {
        return maxConcurrentInserts;
    }

    /**
     * How many batches of acks of one queue may be under way at once: they may overtake one another. One leaves beside
     * another only when {@link #preferredBatch()} messages wait. The default is 1; more helps where the storage would else wait
     * for the engine to deal with an answer. With more than 1, acks of threads that block are gathered, too: what waits
     * leaves when those whom an answer wakes have been woken, or begin the next call.
     */
    public int maxConcurrentAcks() {
        return maxConcurrentAcks;
    }

    /**
     * Whether a mutating call may be repeated under the same token after a lost reply, and then takes effect
     * once. Where false, a lost reply is an {@link dev.jono.OutcomeUnknownException}.
     */
    public boolean repeatable() {
        return repeatable;
    }

    /**
     * Whether reservations of one claim, whose receipts have the same token, are settled with less when they travel
     * together: a full batch then ends behind a claim's, and not among them, if it stays at least half full.
     */
    public boolean prefersAcksByClaim() {
        return prefersAcksByClaim;
    }

    /** Builds one {@link BackendTraits}; not thread-safe. */
    public static final class Builder {
        private Set<Capability> capabilities = Set.of();
        private int maxBatch = 1000;
        private int preferredBatch = 32;
        private int preferredTakeBatch;
        private long maxBatchBytes = 8L << 20;
        private long maxPayloadBytes = 1L << 30;
        private int maxAckBatch;
        private int maxConcurrentInserts = 4;
        private int maxConcurrentAcks = 1;
        private boolean repeatable;
        private boolean prefersAcksByClaim;

        private Builder() {}

        /** Sets {@link BackendTraits#capabilities()}. */
        public Builder capabilities(Set<Capability> value) {
            this.capabilities = value;
            return this;
        }

        /** Sets {@link BackendTraits#maxBatch()}. */
        public Builder maxBatch(int value) {
            this.maxBatch = value;
            return this;
        }

        /** Sets {@link BackendTraits#preferredBatch()}. */
        public Builder preferredBatch(int value) {
            this.preferredBatch = value;
            return this;
        }

        /** Sets {@link BackendTraits#preferredTakeBatch()}. */
        public Builder preferredTakeBatch(int value) {
            this.preferredTakeBatch = value;
            return this;
        }

        /** Sets {@link BackendTraits#maxAckBatch()}. */
        public Builder maxAckBatch(int value) {
            this.maxAckBatch = value;
            return this;
        }

        /** Sets {@link BackendTraits#maxBatchBytes()}. */
        public Builder maxBatchBytes(long value) {
            this.maxBatchBytes = value;
            return this;
        }

        /** Sets {@link BackendTraits#maxPayloadBytes()}. */
        public Builder maxPayloadBytes(long value) {
            this.maxPayloadBytes = value;
            return this;
        }

        /** Sets {@link BackendTraits#maxConcurrentInserts()}. */
        public Builder maxConcurrentInserts(int value) {
            this.maxConcurrentInserts = value;
            return this;
        }

        /** Sets {@link BackendTraits#maxConcurrentAcks()}. */
        public Builder maxConcurrentAcks(int value) {
            this.maxConcurrentAcks = value;
            return this;
        }

        /** Sets {@link BackendTraits#repeatable()}. */
        public Builder repeatable(boolean value) {
            this.repeatable = value;
            return this;
        }

        /** Sets {@link BackendTraits#prefersAcksByClaim()}. */
        public Builder prefersAcksByClaim(boolean value) {
            this.prefersAcksByClaim = value;
            return this;
        }

        /** The finished object. */
        public BackendTraits build() {
            return new BackendTraits(this);
        }
    }
}
