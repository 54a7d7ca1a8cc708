package dev.jono.spi;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reservations to give back: by a retry, which counts the delivery, or a release, which does not. Immutable. */
public final class ReleaseRequest {
    private final List<Item> items;
    private final String token;
    private final boolean announce;

    private ReleaseRequest(Builder b) {
        this.items = List.copyOf(b.items);
        this.token = Objects.requireNonNull(b.token, "token");
        this.announce = b.announce;
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The reservations to give back. For empty lists see rule 6 of {@link QueueStore}. */
    public List<Item> items() {
        return items;
    }

    /**
     * The token that names this call. A repeated call has the same token, and takes effect once; see {@link
     * BackendTraits#repeatable()}.
     */
    public String token() {
        return token;
    }

    /**
     * Whether the store itself publishes the signal of this change, in the same round trip. Always false unless the backend
     * {@linkplain Backend#carries(Signaller) carries} the signaller in use.
     */
    public boolean announce() {
        return announce;
    }

    /** One reservation to give back. Immutable. */
    public static final class Item {
        private final Receipt receipt;
        private final @Nullable Due due;
        private final boolean counted;

        private Item(Receipt receipt, @Nullable Due due, boolean counted) {
            this.receipt = receipt;
            this.due = due;
            this.counted = counted;
        }

        /**
         * Returns an item for one reservation.
         *
         * @param due when the message may be handed out again; null keeps its due time, and so its old place
         * @param counted whether {@link StoredMessage#tries()} counts the delivery that ends here
         */
        public static Item of(Receipt receipt, @Nullable Due due, boolean counted) {
            return new Item(receipt, due, counted);
        }

        /** The reservation. */
        public Receipt receipt() {
            return receipt;
        }

        /** When the message may be handed out again; null keeps its due time and its old place. */
        public @Nullable Due due() {
            return due;
        }

        /**
         * Whether {@link StoredMessage#tries()} counts the delivery that ends here. If not, the store takes back the
         * count of the claim.
         */
        public boolean counted() {
            return counted;
        }
    }

    /** A builder of {@link ReleaseRequest}. Not thread-safe. */
    public static final class Builder {
        private List<Item> items = List.of();
        private @Nullable String token;
        private boolean announce;

        private Builder() {}

        /** Sets {@link ReleaseRequest#items()}. */
        public Builder items(List<Item> value) {
            this.items = value;
            return this;
        }

        /** Sets {@link ReleaseRequest#token()}. */
        public Builder token(String value) {
            this.token = value;
            return this;
        }

        /** Sets {@link ReleaseRequest#announce()}. */
        public Builder announce(boolean value) {
            this.announce = value;
            return this;
        }

        /**
         * Builds the object.
         *
         * @throws NullPointerException if the token is missing
         */
        public ReleaseRequest build() {
            return new ReleaseRequest(this);
        }
    }
}
