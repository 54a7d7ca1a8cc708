package dev.jono.spi;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Messages to remove by id, ready or scheduled. Reserved ones are not removed. Immutable. */
public final class RemoveRequest {
    private final List<String> ids;
    private final String token;

    private RemoveRequest(Builder b) {
        this.ids = List.copyOf(b.ids);
        this.token = Objects.requireNonNull(b.token, "token");
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The ids of the messages. For empty lists see rule 6 of {@link QueueStore}. */
    public List<String> ids() {
        return ids;
    }

    /**
     * The token that names this call. A repeated call has the same token, and takes effect once; see {@link
     * BackendTraits#repeatable()}.
     */
    public String token() {
        return token;
    }

    /** A builder of {@link RemoveRequest}. Not thread-safe. */
    public static final class Builder {
        private List<String> ids = List.of();
        private @Nullable String token;

        private Builder() {}

        /** Sets {@link RemoveRequest#ids()}. */
        public Builder ids(List<String> value) {
            this.ids = value;
            return this;
        }

        /** Sets {@link RemoveRequest#token()}. */
        public Builder token(String value) {
            this.token = value;
            return this;
        }

        /**
         * Builds the object.
         *
         * @throws NullPointerException if the token is missing
         */
        public RemoveRequest build() {
            return new RemoveRequest(this);
        }
    }
}
