package dev.jono.spi;

import java.util.List;

/** What a take or a claim found. */
public final class ClaimResult {
    private final List<StoredMessage> messages;
    private final long nextMillis;
    private final long storageMillis;

    private ClaimResult(Builder b) {
        this.messages = List.copyOf(b.messages);
        this.nextMillis = b.nextMillis;
        this.storageMillis = b.storageMillis;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The queue holds no further message. */
    public static final long NONE = Long.MAX_VALUE;

    /** In the order in which they are to be handed out; empty when nothing was mature. */
    public List<StoredMessage> messages() {
        return messages;
    }

    /**
     * Milliseconds by the storage clock until another message of this queue can be claimed: 0 when one is
     * mature now, {@link #NONE} when the queue holds none. Read when fewer than the asked number were
     * returned; leases count, for they end.
     */
    public long nextMillis() {
        return nextMillis;
    }

    /** The storage clock at the call, milliseconds since the epoch. */
    public long storageMillis() {
        return storageMillis;
    }

    /** Builds one {@link ClaimResult}; not thread-safe. */
    public static final class Builder {
        private List<StoredMessage> messages = List.of();
        private long nextMillis = NONE;
        private long storageMillis;

        private Builder() {}

        /** Sets {@link ClaimResult#messages()}. */
        public Builder messages(List<StoredMessage> value) {
            this.messages = value;
            return this;
        }

        /** Sets {@link ClaimResult#nextMillis()}. */
        public Builder nextMillis(long value) {
            this.nextMillis = value;
            return this;
        }

        /** Sets {@link ClaimResult#storageMillis()}. */
        public Builder storageMillis(long value) {
            this.storageMillis = value;
            return this;
        }

        /** The finished object. */
        public ClaimResult build() {
            return new ClaimResult(this);
        }
    }
}
