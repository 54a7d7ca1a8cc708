package dev.jono.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which queue to open, and the options that its layout needs to know. */
public final class QueueSpec {
    private final String name;
    private final long historyMillis;
    private final @Nullable String pipeline;

    private QueueSpec(Builder b) {
        this.name = Objects.requireNonNull(b.name, "name");
        this.historyMillis = b.historyMillis;
        this.pipeline = b.pipeline;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Its name, already checked against the common rules. */
    public String name() {
        return name;
    }

    /** How long consumed messages are kept as history; 0 keeps none. */
    public long historyMillis() {
        return historyMillis;
    }

    /** The pipeline that it belongs to; null for {@link Backend#defaultPipeline()}. Never set where that is null. */
    public @Nullable String pipeline() {
        return pipeline;
    }

    /** Builds one {@link QueueSpec}; not thread-safe. */
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

        /** The finished object; throws NullPointerException when a required part is missing. */
        public QueueSpec build() {
            return new QueueSpec(this);
        }
    }
}
