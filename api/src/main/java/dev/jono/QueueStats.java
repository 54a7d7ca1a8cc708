package dev.jono;

/**
 * Counters of a queue, summed over all processes that share the stats. Best effort: each process adds its counts at
 * intervals, and a process that crashes loses the counts of its last interval. Immutable.
 */
public final class QueueStats {
    private final long pushed;
    private final long popped;
    private final long reserved;
    private final long acked;
    private final long retried;
    private final long released;
    private final long deadLettered;

    private QueueStats(Builder b) {
        this.pushed = b.pushed;
        this.popped = b.popped;
        this.reserved = b.reserved;
        this.acked = b.acked;
        this.retried = b.retried;
        this.released = b.released;
        this.deadLettered = b.deadLettered;
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Messages that were stored. */
    public long pushed() {
        return pushed;
    }

    /** Messages that were handed out by pop. */
    public long popped() {
        return popped;
    }

    /** Messages that were handed out under a reservation. */
    public long reserved() {
        return reserved;
    }

    /** Reservations that ended with an ack, or with a move by a pipeline. */
    public long acked() {
        return acked;
    }

    /** Reservations that were given back, and counted as a delivery. */
    public long retried() {
        return retried;
    }

    /** Reservations that were given back, and not counted as a delivery. */
    public long released() {
        return released;
    }

    /** Messages that were moved to the dead-letter queue. */
    public long deadLettered() {
        return deadLettered;
    }

    @Override
    public String toString() {
        return "pushed " + pushed + ", popped " + popped + ", reserved " + reserved + ", acked " + acked + ", retried "
                + retried + ", released " + released + ", dead-lettered " + deadLettered;
    }

    /** Builds {@link QueueStats}; not thread-safe. */
    public static final class Builder {
        private long pushed;
        private long popped;
        private long reserved;
        private long acked;
        private long retried;
        private long released;
        private long deadLettered;

        private Builder() {}

        /** Sets {@link QueueStats#pushed()}. */
        public Builder pushed(long value) {
            this.pushed = value;
            return this;
        }

        /** Sets {@link QueueStats#popped()}. */
        public Builder popped(long value) {
            this.popped = value;
            return this;
        }

        /** Sets {@link QueueStats#reserved()}. */
        public Builder reserved(long value) {
            this.reserved = value;
            return this;
        }

        /** Sets {@link QueueStats#acked()}. */
        public Builder acked(long value) {
            this.acked = value;
            return this;
        }

        /** Sets {@link QueueStats#retried()}. */
        public Builder retried(long value) {
            this.retried = value;
            return this;
        }

        /** Sets {@link QueueStats#released()}. */
        public Builder released(long value) {
            this.released = value;
            return this;
        }

        /** Sets {@link QueueStats#deadLettered()}. */
        public Builder deadLettered(long value) {
            this.deadLettered = value;
            return this;
        }

        /** Builds the object. */
        public QueueStats build() {
            return new QueueStats(this);
        }
    }
}
