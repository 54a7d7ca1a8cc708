package dev.jono.spi;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Messages to remove by id, whatever their due time, unless somebody holds them. */
public final class RemoveRequest {
    private final List<String> ids;
    private final String token;

    private RemoveRequest(Builder b) {
        this.ids = List.copyOf(b.ids);
        this.token = Objects.requireNonNull(b.token, "token");
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The ids. */
    public List<String> ids() {
        return ids;
    }

    /**
     * Names this call. A call repeated with the same token after a lost reply takes effect once; see {@link
     * BackendTraits#repeatable()}.
     */
    public String token() {
        return token;
    }

    /** Builds one {@link RemoveRequest}; not thread-safe. */
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

        /** The finished object; throws NullPointerException when a required part is missing. */
        public RemoveRequest build() {
            return new RemoveRequest(this);
        }
    }
}
