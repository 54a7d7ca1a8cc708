package dev.jono.spi;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Messages that a take removed, to be put back. Each keeps its id. It returns to its old place if its due time is
 * unchanged and the layout can store places. Immutable.
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

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The messages as the take returned them, or with another due time and other tries. For empty lists see rule 6 of
     * {@link QueueStore}.
     */
    public List<StoredMessage> messages() {
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

    /** A builder of {@link RestoreRequest}. Not thread-safe. */
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

        /**
         * Builds the object.
         *
         * @throws NullPointerException if the token is missing
         */
        public RestoreRequest build() {
            return new RestoreRequest(this);
        }
    }
}
