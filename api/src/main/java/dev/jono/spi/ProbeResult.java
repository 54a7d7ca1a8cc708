package dev.jono.spi;

import java.util.Map;
import java.util.Set;

/** For many queues in one call, how long until each has something to hand out. */
public final class ProbeResult {
    private final Map<String, Long> nextMillis;
    private final long storageMillis;
    private final Set<String> paused;

    private ProbeResult(Builder b) {
        this.nextMillis = b.nextMillis;
        this.storageMillis = b.storageMillis;
        this.paused = b.paused;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** By queue, as {@link ClaimResult#nextMillis()} says it. A queue that holds nothing may be left out. */
    public Map<String, Long> nextMillis() {
        return nextMillis;
    }

    /** The storage clock at the call, milliseconds since the epoch. */
    public long storageMillis() {
        return storageMillis;
    }

    /** Those of {@link ProbeRequest#flags()} that are paused. */
    public Set<String> paused() {
        return paused;
    }

    /** Builds one {@link ProbeResult}; not thread-safe. */
    public static final class Builder {
        private Map<String, Long> nextMillis = Map.of();
        private long storageMillis;
        private Set<String> paused = Set.of();

        private Builder() {}

        /** Sets {@link ProbeResult#nextMillis()}. */
        public Builder nextMillis(Map<String, Long> value) {
            this.nextMillis = value;
            return this;
        }

        /** Sets {@link ProbeResult#storageMillis()}. */
        public Builder storageMillis(long value) {
            this.storageMillis = value;
            return this;
        }

        /** Sets {@link ProbeResult#paused()}. */
        public Builder paused(Set<String> value) {
            this.paused = value;
            return this;
        }

        /** The finished object. */
        public ProbeResult build() {
            return new ProbeResult(this);
        }
    }
}
