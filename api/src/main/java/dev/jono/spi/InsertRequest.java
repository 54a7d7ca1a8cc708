package dev.jono.spi;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Messages to store in one call. They are independent: a message that the storage refuses does not fail the
 * others.
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

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** What to store, in this order; never empty. */
    public List<NewMessage> messages() {
        return messages;
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

    /** Builds one {@link InsertRequest}; not thread-safe. */
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

        /** The finished object; throws NullPointerException when a required part is missing. */
        public InsertRequest build() {
            return new InsertRequest(this);
        }
    }
}
