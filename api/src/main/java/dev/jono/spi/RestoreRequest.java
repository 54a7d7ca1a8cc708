package dev.jono.spi;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Messages that a take removed and that were not handed out: they go back under the same id, due time and
 * tries, into their old place, as far as the layout can tell a place.
 */
public final class RestoreRequest {
    private final List<StoredMessage> messages;
    private final String token;
    private final boolean announce;

    private RestoreRequest(Builder b) {
        this.messages = List.copyOf(b.messages);
        this.token = Objects.requireNonNull(b.token, "token");
        this.announce = b.announce;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** As take returned them, perhaps with another due time or tries. */
    public List<StoredMessage> messages() {
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

    /** Builds one {@link RestoreRequest}; not thread-safe. */
    public static final class Builder {
        private List<StoredMessage> messages = List.of();
        private @Nullable String token;
        private boolean announce;

        private Builder() {}

        /** Sets {@link RestoreRequest#messages()}. */
        public Builder messages(List<StoredMessage> value) {
            this.messages = value;
            return this;
        }

        /** Sets {@link RestoreRequest#token()}. */
        public Builder token(String value) {
            this.token = value;
            return this;
        }

        /** Sets {@link RestoreRequest#announce()}. */
        public Builder announce(boolean value) {
            this.announce = value;
            return this;
        }

        /** The finished object; throws NullPointerException when a required part is missing. */
        public RestoreRequest build() {
            return new RestoreRequest(this);
        }
    }
}
