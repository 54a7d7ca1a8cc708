package dev.jono.spi;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reservations to end with an ack: their messages are done. Immutable. */
public final class SettleRequest {
    private final List<Receipt> receipts;
    private final String token;

    private SettleRequest(Builder b) {
        this.receipts = List.copyOf(b.receipts);
        this.token = Objects.requireNonNull(b.token, "token");
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The reservations, which may come from different claims. For empty lists see rule 6 of {@link QueueStore}. */
    public List<Receipt> receipts() {
        return receipts;
    }

    /**
     * The token that names this call. A repeated call has the same token, and takes effect once; see {@link
     * BackendTraits#repeatable()}.
     */
    public String token() {
        return token;
    }

    /** A builder of {@link SettleRequest}. Not thread-safe. */
    public static final class Builder {
        private List<Receipt> receipts = List.of();
        private @Nullable String token;

        private Builder() {}

        /** Sets {@link SettleRequest#receipts()}. */
        public Builder receipts(List<Receipt> value) {
            this.receipts = value;
            return this;
        }

        /** Sets {@link SettleRequest#token()}. */
        public Builder token(String value) {
            this.token = value;
            return this;
        }

        /**
         * Builds the object.
         *
         * @throws NullPointerException if the token is missing
         */
        public SettleRequest build() {
            return new SettleRequest(this);
        }
    }
}
