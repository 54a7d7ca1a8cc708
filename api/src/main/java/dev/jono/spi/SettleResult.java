package dev.jono.spi;

import java.util.List;

/** What became of each reservation of a request. */
public final class SettleResult {
    private final List<Outcome> outcomes;
    private final long storageMillis;

    private SettleResult(Builder b) {
        this.outcomes = List.copyOf(b.outcomes);
        this.storageMillis = b.storageMillis;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** One per receipt or item, in the order of the request. */
    public List<Outcome> outcomes() {
        return outcomes;
    }

    /** The storage clock at the call, milliseconds since the epoch. */
    public long storageMillis() {
        return storageMillis;
    }

    /** The outcome of one receipt. */
    public enum Outcome {
        /** It was this holder's, and the step is stored. */
        DONE,
        /** The message is there, but the reservation is not this holder's any more; nothing was changed. */
        STALE,
        /** The message is not in this queue any more; nothing was changed. */
        GONE
    }

    /** Builds one {@link SettleResult}; not thread-safe. */
    public static final class Builder {
        private List<Outcome> outcomes = List.of();
        private long storageMillis;

        private Builder() {}

        /** Sets {@link SettleResult#outcomes()}. */
        public Builder outcomes(List<Outcome> value) {
            this.outcomes = value;
            return this;
        }

        /** Sets {@link SettleResult#storageMillis()}. */
        public Builder storageMillis(long value) {
            this.storageMillis = value;
            return this;
        }

        /** The finished object. */
        public SettleResult build() {
            return new SettleResult(this);
        }
    }
}
