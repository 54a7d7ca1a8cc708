package dev.jono.spi;

import dev.jono.Capability;
import java.util.Set;

/**
 * The capabilities and the limits of an opened backend. Immutable; they do not change while the connection is open.
 *
 * <p>The limits {@code maxBatch}, {@code maxBatchBytes} and {@code maxPayloadBytes}, and {@code repeatable}, change what
 * the engine may do. The others change only speed.
 */
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
    private final boolean tellsFirstDelivery;

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
        this.tellsFirstDelivery = b.tellsFirstDelivery;
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** What this connection can do. Default: nothing. */
    public Set<Capability> capabilities() {
        return capabilities;
    }

    /** Most messages in one call, or that one call may ask for, 1 or more. The engine splits longer lists. Default 1,000. */
    public int maxBatch() {
        return maxBatch;
    }

    /**
     * How many waiting calls are enough for a batch, when other calls are about to begin. With fewer, the engine may
     * first let the callers of the last batch continue, and then send their next calls in the same batch. A lone call
     * never waits.
     *
     * <p>Use a small value if the driver prepares the calls of one batch while another is in flight. Use a large value if
     * each batch has a high cost of its own, such as a commit. With the default of 32, half of 64 concurrent calls can
     * gather while the other half is in flight.
     */
    public int preferredBatch() {
        return preferredBatch;
    }

    /**
     * As {@link #preferredBatch()}, for takes; a driver prepares nothing for them while another take is in flight.
     * Default: {@link #preferredBatch()}.
     */
    public int preferredTakeBatch() {
        return preferredTakeBatch;
    }

    /**
     * Most messages in a batch that joins the acks of several callers. The list of one caller may still have up to {@link
     * #maxBatch()} messages. Default, and upper bound: {@link #maxBatch()}.
     */
    public int maxAckBatch() {
        return maxAckBatch;
    }

    /** Most payload bytes in one insert, 1 or more. A larger message is sent alone. Default 8 MiB. */
    public long maxBatchBytes() {
        return maxBatchBytes;
    }

    /** The size of the largest payload that the storage accepts, in bytes, 1 or more. Default 1 GiB. */
    public long maxPayloadBytes() {
        return maxPayloadBytes;
    }

    /**
     * Most inserts of one queue in flight at one time, 1 or more. Applies only to queues whose order does not matter;
     * other queues have one insert in flight. Default 4.
     */
    public int maxConcurrentInserts() {
        return maxConcurrentInserts;
    }

    /**
     * Most batches of acks of one queue in flight at one time, 1 or more. They may overtake one another. A further batch
     * is sent only when at least {@link #preferredBatch()} messages wait. Default 1.
     *
     * <p>A larger value helps if the storage would otherwise be idle while the engine handles a reply.
     */
    public int maxConcurrentAcks() {
        return maxConcurrentAcks;
    }

    /**
     * Whether a mutating call can be repeated with the same token after a lost reply, and then takes effect once and
     * returns the first result. If false, the engine does not repeat the call, and a lost reply becomes {@link
     * dev.jono.OutcomeUnknownException}. Default false.
     */
    public boolean repeatable() {
        return repeatable;
    }

    /**
     * Whether claims set {@link StoredMessage#firstDelivery}. If false, each delivery may be another one, and jobs read their records
     * before each run. Default false.
     */
    public boolean tellsFirstDelivery() {
        return tellsFirstDelivery;
    }

    /** A builder of {@link BackendTraits}. Not thread-safe. */
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
        private boolean tellsFirstDelivery;

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

        /** Sets {@link BackendTraits#tellsFirstDelivery()}. */
        public Builder tellsFirstDelivery(boolean value) {
            this.tellsFirstDelivery = value;
            return this;
        }

        /** Builds the object. */
        public BackendTraits build() {
            return new BackendTraits(this);
        }
    }
}
