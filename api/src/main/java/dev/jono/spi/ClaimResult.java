package dev.jono.spi;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a take or a claim found. Thread-safe. */
public final class ClaimResult {
    private final int size;
    private final Supplier<List<StoredMessage>> read;
    private volatile @Nullable List<StoredMessage> messages;
    private final long nextMillis;
    private final long storageMillis;

    private ClaimResult(Builder b) {
        this.size = b.size;
        this.read = b.read;
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
        List<StoredMessage> known = messages;
        if (known == null) {
            known = List.copyOf(read.get());
            messages = known;
        }
        return known;
    }

    /** How many messages there are; to ask for that does not read them. */
    public int size() {
        return size;
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
        private int size;
        private Supplier<List<StoredMessage>> read = List::of;
        private long nextMillis = NONE;
        private long storageMillis;

        private Builder() {}

        /** Sets {@link ClaimResult#messages()}. */
        public Builder messages(List<StoredMessage> value) {
            List<StoredMessage> known = List.copyOf(value);
            return messages(known.size(), () -> known);
        }

        /**
         * Sets {@link ClaimResult#messages()} to what is still to be read. The engine lets the next call leave before it asks
         * for them, so that the storage works while they are read.
         *
         * @param count how many there are
         * @param value reads them, as many; called on the thread that first asks, or on several that do at once, and must not
         *     fail
         */
        public Builder messages(int count, Supplier<List<StoredMessage>> value) {
            this.size = count;
            this.read = value;
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
