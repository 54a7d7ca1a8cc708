package dev.jono.spi;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Messages to store in one call. They are independent: a message that the storage refuses does not fail the others.
 * Immutable.
 */
public final class InsertRequest {
    private final List<NewMessage> messages;
    private final String token;
    private final boolean announce;

    private InsertRequest(Builder b) {
        this.messages = List.copyOf(b.messages);
        this.token = Objects.requireNonNull(b.token, "token");
        this.announce = b.announce;
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The messages to store, in this order. For empty lists see rule 6 of {@link QueueStore}. */
    public List<NewMessage> messages() {
        return messages;
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

    /** A builder of {@link InsertRequest}. Not thread-safe. */
    public static final class Builder {
        private List<NewMessage> messages = List.of();
        private @Nullable String token;
        private boolean announce;

        private Builder() {}

        /** Sets {@link InsertRequest#messages()}. */
        public Builder messages(List<NewMessage> value) {
            this.messages = value;
            return this;
        }

        /** Sets {@link InsertRequest#token()}. */
        public Builder token(String value) {
            this.token = value;
            return this;
        }

        /** Sets {@link InsertRequest#announce()}. */
        public Builder announce(boolean value) {
            this.announce = value;
            return this;
        }

        /**
         * Builds the object.
         *
         * @throws NullPointerException if the token is missing
         */
        public InsertRequest build() {
            return new InsertRequest(this);
        }
    }
}
