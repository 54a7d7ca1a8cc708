package dev.jono;

/**
 * What was done on a queue since its counters began, by all processes that share the stats. Best effort: each process
 * adds its counts every now and then, and a crash loses the last interval.
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

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Messages stored. */
    public long pushed() {
        return pushed;
    }

    /** Messages handed out by pop. */
    public long popped() {
        return popped;
    }

    /** Messages handed out under a reservation. */
    public long reserved() {
        return reserved;
    }

    /** Reservations that ended with an ack or a pipeline's move. */
    public long acked() {
        return acked;
    }

    /** Reservations given back and counted. */
    public long retried() {
        return retried;
    }

    /** Reservations given back uncounted. */
    public long released() {
        return released;
    }

    /** Messages moved to the dead-letter queue. */
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

        /** The finished object. */
        public QueueStats build() {
            return new QueueStats(this);
        }
    }
}
