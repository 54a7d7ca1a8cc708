package dev.jono.spi;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The messages that a take or a claim returns. Thread-safe. */
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

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The value of {@link #nextMillis()} if the queue holds no further message. */
    public static final long NONE = Long.MAX_VALUE;

    /** The messages, in the order in which the engine hands them out; empty if no message was due. */
    public List<StoredMessage> messages() {
        List<StoredMessage> known = messages;
        if (known == null) {
            known = List.copyOf(read.get());
            messages = known;
        }
        return known;
    }

    /** The number of messages. Does not read them. */
    public int size() {
        return size;
    }

    /**
     * Milliseconds, by the storage's clock, until another message of this queue can be claimed. It is 0 if one is due
     * now, and {@link #NONE} if the queue holds none. The ends of leases count, because a message can be claimed then.
     * The engine reads it if fewer messages were returned than it asked for.
     */
    public long nextMillis() {
        return nextMillis;
    }

    /** The storage's clock at the time of the call, in milliseconds since the epoch. */
    public long storageMillis() {
        return storageMillis;
    }

    /** A builder of {@link ClaimResult}. Not thread-safe. */
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
         * Sets {@link ClaimResult#messages()} to messages that are read on demand. The engine sends the next call before
         * it asks for them, so the storage works while they are read.
         *
         * @param count how many messages there are
         * @param value reads them, exactly {@code count}. Called on the thread that first asks for them, or on several
         *     threads that do so at the same time. Must not fail.
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

        /** Builds the object. */
        public ClaimResult build() {
            return new ClaimResult(this);
        }
    }
}
