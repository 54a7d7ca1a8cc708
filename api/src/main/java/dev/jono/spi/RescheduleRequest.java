package dev.jono.spi;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Messages that get another due time, unless they are reserved. Immutable. */
public final class RescheduleRequest {
    private final List<String> ids;
    private final Due due;
    private final String token;

    private RescheduleRequest(Builder b) {
        this.ids = List.copyOf(b.ids);
        this.due = Objects.requireNonNull(b.due, "due");
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

    /** The new due time. */
    public Due due() {
        return due;
    }

    /**
     * The token that names this call. A repeated call has the same token, and takes effect once; see {@link
     * BackendTraits#repeatable()}.
     */
    public String token() {
        return token;
    }

    /** A builder of {@link RescheduleRequest}. Not thread-safe. */
    public static final class Builder {
        private List<String> ids = List.of();
        private @Nullable Due due;
        private @Nullable String token;

        private Builder() {}

        /** Sets {@link RescheduleRequest#ids()}. */
        public Builder ids(List<String> value) {
            this.ids = value;
            return this;
        }

        /** Sets {@link RescheduleRequest#due()}. */
        public Builder due(Due value) {
            this.due = value;
            return this;
        }

        /** Sets {@link RescheduleRequest#token()}. */
        public Builder token(String value) {
            this.token = value;
            return this;
        }

        /**
         * Builds the object.
         *
         * @throws NullPointerException if the due time or the token is missing
         */
        public RescheduleRequest build() {
            return new RescheduleRequest(this);
        }
    }
}
