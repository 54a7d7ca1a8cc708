package dev.jono.spi;

import java.util.List;
import java.util.OptionalLong;

/** The outcome of a settling call, per reservation. Immutable. */
public final class SettleResult {
    private final List<Outcome> outcomes;
    private final long storageMillis;
    private final OptionalLong promotedMillis;

    private SettleResult(Builder b) {
        this.outcomes = List.copyOf(b.outcomes);
        this.storageMillis = b.storageMillis;
        this.promotedMillis = b.promotedMillis;
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The outcomes, one per receipt or item, in the order of the request. */
    public List<Outcome> outcomes() {
        return outcomes;
    }

    /** The storage's clock at the time of the call, in milliseconds since the epoch. */
    public long storageMillis() {
        return storageMillis;
    }

    /**
     * The earliest due time of the messages that were blocked behind these and can be handed out now, in milliseconds since
     * the epoch; empty if there are none. Only keyed queues have any.
     */
    public OptionalLong promotedMillis() {
        return promotedMillis;
    }

    /** The outcome of one reservation. */
    public enum Outcome {
        /** The message was reserved by this holder, and the step is stored. */
        DONE,
        /** The message is in the queue, but no longer reserved by this holder. Nothing was changed. */
        STALE,
        /** The message is no longer in this queue. Nothing was changed. */
        GONE
    }

    /** A builder of {@link SettleResult}. Not thread-safe. */
    public static final class Builder {
        private List<Outcome> outcomes = List.of();
        private long storageMillis;
        private OptionalLong promotedMillis = OptionalLong.empty();

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

        /** Sets {@link SettleResult#promotedMillis()}. */
        public Builder promotedMillis(OptionalLong value) {
            this.promotedMillis = value;
            return this;
        }

        /** Builds the object. */
        public SettleResult build() {
            return new SettleResult(this);
        }
    }
}
