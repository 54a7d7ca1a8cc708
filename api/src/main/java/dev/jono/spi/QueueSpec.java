package dev.jono.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The name of a queue to open, and the options that the backend needs. Immutable. */
public final class QueueSpec {
    private final String name;
    private final long historyMillis;
    private final @Nullable String pipeline;
    private final int maxPerKey;

    private QueueSpec(Builder b) {
        this.name = Objects.requireNonNull(b.name, "name");
        this.historyMillis = b.historyMillis;
        this.pipeline = b.pipeline;
        this.maxPerKey = b.maxPerKey;
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The name, already checked against the common rules and by {@link Backend#refuseName}. */
    public String name() {
        return name;
    }

    /** How long to keep consumed messages as history, in milliseconds; 0 keeps none. Default 0. */
    public long historyMillis() {
        return historyMillis;
    }

    /** The pipeline of the queue; null for {@link Backend#defaultPipeline()}. Always null if that is null. */
    public @Nullable String pipeline() {
        return pipeline;
    }

    /**
     * Most messages of one ordering key that may be reserved at one time; 0 for a queue without keys. With 1 the store hands
     * out the messages of a key strictly in the order of insertion. The first call with a value above 0 on an empty queue makes
     * it keyed, until it is deleted. From then on, a store with another value above 0 refuses all calls, and a store without
     * keys refuses take and claim; it may still store messages. A queue that holds messages cannot become keyed. Needs {@code
     * KEYED} unless it is 0. Default 0.
     */
    public int maxPerKey() {
        return maxPerKey;
    }

    /** A builder of {@link QueueSpec}. Not thread-safe. */
    public static final class Builder {
        private @Nullable String name;
        private long historyMillis;
        private @Nullable String pipeline;
        private int maxPerKey;

        private Builder() {}

        /** Sets {@link QueueSpec#name()}. */
        public Builder name(String value) {
            this.name = value;
            return this;
        }

        /** Sets {@link QueueSpec#historyMillis()}. */
        public Builder historyMillis(long value) {
            this.historyMillis = value;
            return this;
        }

        /** Sets {@link QueueSpec#pipeline()}. */
        public Builder pipeline(@Nullable String value) {
            this.pipeline = value;
            return this;
        }

        /** Sets {@link QueueSpec#maxPerKey()}. */
        public Builder maxPerKey(int value) {
            this.maxPerKey = value;
            return this;
        }

        /**
         * Builds the object.
         *
         * @throws NullPointerException if the name is missing
         */
        public QueueSpec build() {
            return new QueueSpec(this);
        }
    }
}
