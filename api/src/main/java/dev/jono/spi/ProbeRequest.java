package dev.jono.spi;

import java.util.Collection;
import java.util.Set;

/** Which queues to look at. */
public final class ProbeRequest {
    private final Set<String> queues;
    private final Set<String> flags;

    private ProbeRequest(Builder b) {
        this.queues = b.queues;
        this.flags = b.flags;
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

    /** Builds one {@link ProbeRequest}; not thread-safe. */
    public static final class Builder {
        private Set<String> queues = Set.of();
        private Set<String> flags = Set.of();

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

        /** The finished object. */
        public ProbeRequest build() {
            return new ProbeRequest(this);
        }
    }
}
