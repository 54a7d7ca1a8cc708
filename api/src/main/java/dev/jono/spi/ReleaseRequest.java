package dev.jono.spi;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reservations to give back: a retry (counted) or a release (uncounted). */
public final class ReleaseRequest {
    private final List<Item> items;
    private final String token;
    private final boolean announce;

    private ReleaseRequest(Builder b) {
        this.items = List.copyOf(b.items);
        this.token = Objects.requireNonNull(b.token, "token");
        this.announce = b.announce;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** What to give back. */
    public List<Item> items() {
        return items;
    }

    /**
     * Names this call. A call repeated with the same token after a lost reply takes effect once; see {@link
     * BackendTraits#repeatable()}.
     */
    public String token() {
        return token;
    }

    /**
     * Whether the store itself publishes the signal of this change, which the engine asks only of a backend
     * that {@linkplain Backend#carries(Signaller) carries} the signaller in use.
     */
    public boolean announce() {
        return announce;
    }

    /** One reservation to give back. */
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
         * One reservation.
         *
         * @param due when it may be handed out again; null keeps its due time, and so its old place
         * @param counted whether the delivery that ends here counts in {@link StoredMessage#tries()}
         */
        public static Item of(Receipt receipt, @Nullable Due due, boolean counted) {
            return new Item(receipt, due, counted);
        }

        /** The reservation. */
        public Receipt receipt() {
            return receipt;
        }

        /** When it may be handed out again; null keeps its due time and place. */
        public @Nullable Due due() {
            return due;
        }

        /** Whether the delivery counts. */
        public boolean counted() {
            return counted;
        }
    }

    /** Builds one {@link ReleaseRequest}; not thread-safe. */
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

        /** The finished object; throws NullPointerException when a required part is missing. */
        public ReleaseRequest build() {
            return new ReleaseRequest(this);
        }
    }
}
