package dev.jono.spi;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reservations to end with an ack: their messages are done. */
public final class SettleRequest {
    private final List<Receipt> receipts;
    private final String token;

    private SettleRequest(Builder b) {
        this.receipts = List.copyOf(b.receipts);
        this.token = Objects.requireNonNull(b.token, "token");
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The reservations, of any claims. */
    public List<Receipt> receipts() {
        return receipts;
    }

    /**
     * Names this call. A call repeated with the same token after a lost reply takes effect once; see {@link
     * BackendTraits#repeatable()}.
     */
    public String token() {
        return token;
    }

    /** Builds one {@link SettleRequest}; not thread-safe. */
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

        /** The finished object; throws NullPointerException when a required part is missing. */
        public SettleRequest build() {
            return new SettleRequest(this);
        }
    }
}
