package dev.jono.spi;

import java.util.OptionalLong;

/** How many messages a queue holds, in one look. */
public final class CountsResult {
    private final long ready;
    private final long scheduled;
    private final long reserved;
    private final long history;
    private final long nextMillis;
    private final OptionalLong oldestReadyMillis;
    private final long storageMillis;

    private CountsResult(Builder b) {
        this.ready = b.ready;
        this.scheduled = b.scheduled;
        this.reserved = b.reserved;
        this.history = b.history;
        this.nextMillis = b.nextMillis;
        this.oldestReadyMillis = b.oldestReadyMillis;
        this.storageMillis = b.storageMillis;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** May be handed out now, expired reservations included. */
    public long ready() {
        return ready;
    }

    /** Wait for their due time. */
    public long scheduled() {
        return scheduled;
    }

    /** Held under a lease that has not ended. */
    public long reserved() {
        return reserved;
    }

    /** Consumed and kept; 0 unless asked for. */
    public long history() {
        return history;
    }

    /**
     * Milliseconds until the earliest message that nobody holds is due: 0 when one is ready, {@link
     * ClaimResult#NONE} when there is none.
     */
    public long nextMillis() {
        return nextMillis;
    }

    /** Due time of the longest ready message, milliseconds since the epoch; empty when none is ready, or the layout keeps no times. */
    public OptionalLong oldestReadyMillis() {
        return oldestReadyMillis;
    }

    /** The storage clock at the call, milliseconds since the epoch. */
    public long storageMillis() {
        return storageMillis;
    }

    /** Builds one {@link CountsResult}; not thread-safe. */
    public static final class Builder {
        private long ready;
        private long scheduled;
        private long reserved;
        private long history;
        private long nextMillis = ClaimResult.NONE;
        private OptionalLong oldestReadyMillis = OptionalLong.empty();
        private long storageMillis;

        private Builder() {}

        /** Sets {@link CountsResult#ready()}. */
        public Builder ready(long value) {
            this.ready = value;
            return this;
        }

        /** Sets {@link CountsResult#scheduled()}. */
        public Builder scheduled(long value) {
            this.scheduled = value;
            return this;
        }

        /** Sets {@link CountsResult#reserved()}. */
        public Builder reserved(long value) {
            this.reserved = value;
            return this;
        }

        /** Sets {@link CountsResult#history()}. */
        public Builder history(long value) {
            this.history = value;
            return this;
        }

        /** Sets {@link CountsResult#nextMillis()}. */
        public Builder nextMillis(long value) {
            this.nextMillis = value;
            return this;
        }

        /** Sets {@link CountsResult#oldestReadyMillis()}. */
        public Builder oldestReadyMillis(long value) {
            this.oldestReadyMillis = OptionalLong.of(value);
            return this;
        }

        /** Sets {@link CountsResult#storageMillis()}. */
        public Builder storageMillis(long value) {
            this.storageMillis = value;
            return this;
        }

        /** The finished object. */
        public CountsResult build() {
            return new CountsResult(this);
        }
    }
}
