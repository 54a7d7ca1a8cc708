package dev.jono.spi;

import java.util.OptionalLong;

/** The number of messages in a queue by state, read at one moment. Immutable. */
public final class CountsResult {
    private final long ready;
    private final long scheduled;
    private final long reserved;
    private final long blocked;
    private final long history;
    private final long nextMillis;
    private final OptionalLong oldestReadyMillis;
    private final long storageMillis;

    private CountsResult(Builder b) {
        this.ready = b.ready;
        this.scheduled = b.scheduled;
        this.reserved = b.reserved;
        this.blocked = b.blocked;
        this.history = b.history;
        this.nextMillis = b.nextMillis;
        this.oldestReadyMillis = b.oldestReadyMillis;
        this.storageMillis = b.storageMillis;
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Messages that may be handed out now, including those whose lease has ended. */
    public long ready() {
        return ready;
    }

    /** Messages that wait for their due time. */
    public long scheduled() {
        return scheduled;
    }

    /** Messages that are reserved under a lease that has not ended. */
    public long reserved() {
        return reserved;
    }

    /** Messages that wait for an earlier message of their ordering key. */
    public long blocked() {
        return blocked;
    }

    /** Consumed messages in the history; 0 unless {@link CountsRequest#history()} asks for them. */
    public long history() {
        return history;
    }

    /**
     * Milliseconds until the earliest message that is not reserved is due: 0 if one is ready, {@link ClaimResult#NONE} if
     * there is none. Default {@code NONE}.
     */
    public long nextMillis() {
        return nextMillis;
    }

    /**
     * The earliest due time of the ready messages, in milliseconds since the epoch; empty if none is ready, or if the
     * layout does not store due times.
     */
    public OptionalLong oldestReadyMillis() {
        return oldestReadyMillis;
    }

    /** The storage's clock at the time of the call, in milliseconds since the epoch. */
    public long storageMillis() {
        return storageMillis;
    }

    /** A builder of {@link CountsResult}. Not thread-safe. */
    public static final class Builder {
        private long ready;
        private long scheduled;
        private long reserved;
        private long blocked;
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

        /** Sets {@link CountsResult#blocked()}. */
        public Builder blocked(long value) {
            this.blocked = value;
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

        /** Builds the object. */
        public CountsResult build() {
            return new CountsResult(this);
        }
    }
}
