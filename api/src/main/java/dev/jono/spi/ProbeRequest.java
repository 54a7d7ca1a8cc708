package dev.jono.spi;

import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which queues to look at. */
public final class ProbeRequest {
    private final Set<String> queues;
    private final Set<String> flags;
    private final @Nullable String pipeline;

    private ProbeRequest(Builder b) {
        this.queues = b.queues;
        this.flags = b.flags;
        this.pipeline = b.pipeline;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The names of the queues, which may be thousands. */
    public Set<String> queues() {
        return queues;
    }

    /**
     * Those of {@link #queues()} whose paused flag is asked for too. Empty unless the backend
     * {@linkplain Backend#carries(StatsStore) carries} the stats that keep it.
     */
    public Set<String> flags() {
        return flags;
    }

    /** The pipeline of all of them, as {@link QueueSpec#pipeline()} says it. */
    public @Nullable String pipeline() {
        return pipeline;
    }

    /** Builds one {@link ProbeRequest}; not thread-safe. */
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

        /** The finished object. */
        public ProbeRequest build() {
            return new ProbeRequest(this);
        }
    }
}
