package dev.jono.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A unique key whose window ends, if it still belongs to one message. Repeating it does no harm. Immutable. */
public final class ForgetRequest {
    private final @Nullable String scope;
    private final String key;
    private final String id;

    private ForgetRequest(Builder b) {
        this.scope = b.scope;
        this.key = Objects.requireNonNull(b.key, "key");
        this.id = Objects.requireNonNull(b.id, "id");
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The scope of the key; null for the keys of the queue. */
    public @Nullable String scope() {
        return scope;
    }

    /** The key. */
    public String key() {
        return key;
    }

    /** The id of the message that the window must belong to. */
    public String id() {
        return id;
    }

    /** A builder of {@link ForgetRequest}. Not thread-safe. */
    public static final class Builder {
        private @Nullable String scope;
        private @Nullable String key;
        private @Nullable String id;

        private Builder() {}

        /** Sets {@link ForgetRequest#scope()}. */
        public Builder scope(@Nullable String value) {
            this.scope = value;
            return this;
        }

        /** Sets {@link ForgetRequest#key()}. */
        public Builder key(String value) {
            this.key = value;
            return this;
        }

        /** Sets {@link ForgetRequest#id()}. */
        public Builder id(String value) {
            this.id = value;
            return this;
        }

        /**
         * Builds the object.
         *
         * @throws NullPointerException if the key or the id is missing
         */
        public ForgetRequest build() {
            return new ForgetRequest(this);
        }
    }
}
