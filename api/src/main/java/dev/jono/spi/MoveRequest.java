package dev.jono.spi;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reserved messages to move to other queues of the same storage. Each move is one atomic step that keeps the id.
 * Immutable.
 */
public final class MoveRequest {
    private final List<MoveItem> items;
    private final String token;
    private final boolean announce;

    private MoveRequest(Builder b) {
        this.items = List.copyOf(b.items);
        this.token = Objects.requireNonNull(b.token, "token");
        this.announce = b.announce;
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The messages to move. For empty lists see rule 6 of {@link QueueStore}. */
    public List<MoveItem> items() {
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

    /** A builder of {@link MoveRequest}. Not thread-safe. */
    public static final class Builder {
        private List<MoveItem> items = List.of();
        private @Nullable String token;
        private boolean announce;

        private Builder() {}

        /** Sets {@link MoveRequest#items()}. */
        public Builder items(List<MoveItem> value) {
            this.items = value;
            return this;
        }

        /** Sets {@link MoveRequest#token()}. */
        public Builder token(String value) {
            this.token = value;
            return this;
        }

        /** Sets {@link MoveRequest#announce()}. */
        public Builder announce(boolean value) {
            this.announce = value;
            return this;
        }

        /**
         * Builds the object.
         *
         * @throws NullPointerException if the token is missing
         */
        public MoveRequest build() {
            return new MoveRequest(this);
        }
    }
}
