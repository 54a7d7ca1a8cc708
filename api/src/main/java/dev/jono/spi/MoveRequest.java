package dev.jono.spi;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reserved messages to put into other queues of the same storage, each in one atomic step, keeping its id. */
public final class MoveRequest {
    private final List<MoveItem> items;
    private final String token;
    private final boolean announce;

    private MoveRequest(Builder b) {
        this.items = List.copyOf(b.items);
        this.token = Objects.requireNonNull(b.token, "token");
        this.announce = b.announce;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** What to move. */
    public List<MoveItem> items() {
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

    /** Builds one {@link MoveRequest}; not thread-safe. */
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

        /** The finished object; throws NullPointerException when a required part is missing. */
        public MoveRequest build() {
            return new MoveRequest(this);
        }
    }
}
