package dev.jono.spi;

import java.util.List;

/** Messages that were read without taking them. Immutable. */
public final class BrowseResult {
    private final List<StoredMessage> messages;
    private final long storageMillis;

    private BrowseResult(Builder b) {
        this.messages = List.copyOf(b.messages);
        this.storageMillis = b.storageMillis;
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The messages, with {@link StoredMessage#state()} and {@link StoredMessage#cursor()} set. */
    public List<StoredMessage> messages() {
        return messages;
    }

    /** The storage's clock at the time of the call, in milliseconds since the epoch. */
    public long storageMillis() {
        return storageMillis;
    }

    /** A builder of {@link BrowseResult}. Not thread-safe. */
    public static final class Builder {
        private List<StoredMessage> messages = List.of();
        private long storageMillis;

        private Builder() {}

        /** Sets {@link BrowseResult#messages()}. */
        public Builder messages(List<StoredMessage> value) {
            this.messages = value;
            return this;
        }

        /** Sets {@link BrowseResult#storageMillis()}. */
        public Builder storageMillis(long value) {
            this.storageMillis = value;
            return this;
        }

        /** Builds the object. */
        public BrowseResult build() {
            return new BrowseResult(this);
        }
    }
}
