package dev.jono.spi;

import java.util.Map;
import java.util.Set;

/**
 * The outcome of a probe: for each queue, how long it is until it has a message to hand out. Not copied, so do not change
 * the collections after the build.
 */
public final class ProbeResult {
    private final Map<String, Long> nextMillis;
    private final long storageMillis;
    private final Set<String> paused;

    private ProbeResult(Builder b) {
        this.nextMillis = b.nextMillis;
        this.storageMillis = b.storageMillis;
        this.paused = b.paused;
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Milliseconds by name of queue, as in {@link ClaimResult#nextMillis()}. A queue that holds no message may be left
     * out.
     */
    public Map<String, Long> nextMillis() {
        return nextMillis;
    }

    /** The storage's clock at the time of the call, in milliseconds since the epoch. */
    public long storageMillis() {
        return storageMillis;
    }

    /** The names among {@link ProbeRequest#flags()} whose queues are paused. */
    public Set<String> paused() {
        return paused;
    }

    /** A builder of {@link ProbeResult}. Not thread-safe. */
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

        /** Builds the object. */
        public ProbeResult build() {
            return new ProbeResult(this);
        }
    }
}
