package dev.jono.spi;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reservations whose leases to extend: they end a given time after the call, by the storage's clock. Immutable. */
public final class ExtendRequest {
    private final List<Receipt> receipts;
    private final long leaseMillis;
    private final String token;

    private ExtendRequest(Builder b) {
        this.receipts = List.copyOf(b.receipts);
        this.leaseMillis = b.leaseMillis;
        this.token = Objects.requireNonNull(b.token, "token");
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The reservations. Their receipts stay valid. For empty lists see rule 6 of {@link QueueStore}. */
    public List<Receipt> receipts() {
        return receipts;
    }

    /** The new length of the leases in milliseconds, from the storage's clock at the time of this call. */
    public long leaseMillis() {
        return leaseMillis;
    }

    /**
     * The token that names this call. A repeated call has the same token, and takes effect once; see {@link
     * BackendTraits#repeatable()}.
     */
    public String token() {
        return token;
    }

    /** A builder of {@link ExtendRequest}. Not thread-safe. */
    public static final class Builder {
        private List<Receipt> receipts = List.of();
        private long leaseMillis;
        private @Nullable String token;

        private Builder() {}

        /** Sets {@link ExtendRequest#receipts()}. */
        public Builder receipts(List<Receipt> value) {
            this.receipts = value;
            return this;
        }

        /** Sets {@link ExtendRequest#leaseMillis()}. */
        public Builder leaseMillis(long value) {
            this.leaseMillis = value;
            return this;
        }

        /** Sets {@link ExtendRequest#token()}. */
        public Builder token(String value) {
            this.token = value;
            return this;
        }

        /**
         * Builds the object.
         *
         * @throws NullPointerException if the token is missing
         */
        public ExtendRequest build() {
            return new ExtendRequest(this);
        }
    }
}
