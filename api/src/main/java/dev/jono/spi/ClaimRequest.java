package dev.jono.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How many messages to take or claim, and on what terms. */
public final class ClaimRequest {
    private final int max;
    private final long leaseMillis;
    private final int isolateTries;
    private final int isolateExpiredTries;
    private final @Nullable String consumer;
    private final String token;

    private ClaimRequest(Builder b) {
        this.max = b.max;
        this.leaseMillis = b.leaseMillis;
        this.isolateTries = b.isolateTries;
        this.isolateExpiredTries = b.isolateExpiredTries;
        this.consumer = b.consumer;
        this.token = Objects.requireNonNull(b.token, "token");
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The most messages to return, 1 or more. */
    public int max() {
        return max;
    }

    /** Length of the lease, counted by the storage clock; not read by take. */
    public long leaseMillis() {
        return leaseMillis;
    }

    /** A message with at least this many tries is returned alone: the claim ends before it, or holds only it. */
    public int isolateTries() {
        return isolateTries;
    }

    /**
     * The same for a message that comes back by expiry. What kills its consumer must not take its neighbours
     * along.
     */
    public int isolateExpiredTries() {
        return isolateExpiredTries;
    }

    /** The name a consumer gave itself, for people to read; null when it gave none. */
    public @Nullable String consumer() {
        return consumer;
    }

    /**
     * Names this call. A call repeated with the same token after a lost reply takes effect once; see {@link
     * BackendTraits#repeatable()}.
     */
    public String token() {
        return token;
    }

    /** Builds one {@link ClaimRequest}; not thread-safe. */
    public static final class Builder {
        private int max = 1;
        private long leaseMillis;
        private int isolateTries = Integer.MAX_VALUE;
        private int isolateExpiredTries = Integer.MAX_VALUE;
        private @Nullable String consumer;
        private @Nullable String token;

        private Builder() {}

        /** Sets {@link ClaimRequest#max()}. */
        public Builder max(int value) {
            this.max = value;
            return this;
        }

        /** Sets {@link ClaimRequest#leaseMillis()}. */
        public Builder leaseMillis(long value) {
            this.leaseMillis = value;
            return this;
        }

        /** Sets {@link ClaimRequest#isolateTries()}. */
        public Builder isolateTries(int value) {
            this.isolateTries = value;
            return this;
        }

        /** Sets {@link ClaimRequest#isolateExpiredTries()}. */
        public Builder isolateExpiredTries(int value) {
            this.isolateExpiredTries = value;
            return this;
        }

        /** Sets {@link ClaimRequest#consumer()}. */
        public Builder consumer(@Nullable String value) {
            this.consumer = value;
            return this;
        }

        /** Sets {@link ClaimRequest#token()}. */
        public Builder token(String value) {
            this.token = value;
            return this;
        }

        /** The finished object; throws NullPointerException when a required part is missing. */
        public ClaimRequest build() {
            return new ClaimRequest(this);
        }
    }
}
