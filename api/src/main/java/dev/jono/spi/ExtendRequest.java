package dev.jono.spi;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reservations whose lease shall end a given time from now, by the storage clock. */
public final class ExtendRequest {
    private final List<Receipt> receipts;
    private final long leaseMillis;
    private final String token;

    private ExtendRequest(Builder b) {
        this.receipts = List.copyOf(b.receipts);
        this.leaseMillis = b.leaseMillis;
        this.token = Objects.requireNonNull(b.token, "token");
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The reservations; they stay valid under the same receipts. */
    public List<Receipt> receipts() {
        return receipts;
    }

    /** The new length, counted from the storage clock at this call. */
    public long leaseMillis() {
        return leaseMillis;
    }

    /**
     * Names this call. A call repeated with the same token after a lost reply takes effect once; see {@link
     * BackendTraits#repeatable()}.
     */
    public String token() {
        return token;
    }

    /** Builds one {@link ExtendRequest}; not thread-safe. */
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

        /** The finished object; throws NullPointerException when a required part is missing. */
        public ExtendRequest build() {
            return new ExtendRequest(this);
        }
    }
}
