package dev.jono.spi;

import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The queues to probe. Immutable. */
public final class ProbeRequest {
    private final Set<String> queues;
    private final Set<String> flags;
    private final @Nullable String pipeline;

    private ProbeRequest(Builder b) {
        this.queues = b.queues;
        this.flags = b.flags;
        this.pipeline = b.pipeline;
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The names of the queues; there may be thousands. For an empty set the backend returns an empty result. */
    public Set<String> queues() {
        return queues;
    }

    /**
     * The names among {@link #queues()} whose paused flag to read too. Empty unless the backend {@linkplain
     * Backend#carries(StatsStore) carries} the stats store that keeps them.
     */
    public Set<String> flags() {
        return flags;
    }

    /** The pipeline of all these queues, as in {@link QueueSpec#pipeline()}. */
    public @Nullable String pipeline() {
        return pipeline;
    }

    /** A builder of {@link ProbeRequest}. Not thread-safe. */
    public static final class Builder {
        private Set<String> queues = Set.of();
        private Set<String> flags = Set.of();
        private @Nullable String pipeline;

        private Builder() {}

        /** Sets {@link ProbeRequest#queues()}. */
        public Builder queues(Collection<String> value) {
            this.queues = Set.copyOf(value);
            return this;
        }

        /** Sets {@link ProbeRequest#flags()}. */
        public Builder flags(Collection<String> value) {
            this.flags = Set.copyOf(value);
            return this;
        }

        /** Sets {@link ProbeRequest#pipeline()}. */
        public Builder pipeline(@Nullable String value) {
            this.pipeline = value;
            return this;
        }

        /** Builds the object. */
        public ProbeRequest build() {
            return new ProbeRequest(this);
        }
    }
}
