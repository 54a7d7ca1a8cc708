package dev.jono.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The name of a queue to open, and the options that the backend needs. Immutable. */
public final class QueueSpec {
    private final String name;
    private final long historyMillis;
    private final @Nullable String pipeline;

    private QueueSpec(Builder b) {
        this.name = Objects.requireNonNull(b.name, "name");
        this.historyMillis = b.historyMillis;
        this.pipeline = b.pipeline;
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

    /** A builder of {@link QueueSpec}. Not thread-safe. */
    public static final class Builder {
        private @Nullable String name;
        private long historyMillis;
        private @Nullable String pipeline;

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
