package dev.jono.spi;

import java.util.List;

/** Messages shown without taking them. */
public final class BrowseResult {
    private final List<StoredMessage> messages;
    private final long storageMillis;

    private BrowseResult(Builder b) {
        this.messages = List.copyOf(b.messages);
        this.storageMillis = b.storageMillis;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** What was found, with cursor and state. */
    public List<StoredMessage> messages() {
        return messages;
    }

    /** The storage clock at the call, milliseconds since the epoch. */
    public long storageMillis() {
        return storageMillis;
    }

    /** Builds one {@link BrowseResult}; not thread-safe. */
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

        /** The finished object. */
        public BrowseResult build() {
            return new BrowseResult(this);
        }
    }
}
