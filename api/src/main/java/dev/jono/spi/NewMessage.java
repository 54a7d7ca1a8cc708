package dev.jono.spi;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One message to be stored. */
public final class NewMessage {
    private final @Nullable String id;
    private final EncodedPayload payload;
    private final Headers headers;
    private final int tries;
    private final Due due;

    private NewMessage(Builder b) {
        this.id = b.id;
        this.payload = Objects.requireNonNull(b.payload, "payload");
        this.headers = b.headers;
        this.tries = b.tries;
        this.due = b.due;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The id to store it under, or null for a new one. Given when a message moves between stores and must keep
     * its id; a store that already holds a live message of that id leaves it untouched and reports success.
     */
    public @Nullable String id() {
        return id;
    }

    /** The encoded payload, never null. */
    public EncodedPayload payload() {
        return payload;
    }

    /** The headers; empty when none were given. */
    public Headers headers() {
        return headers;
    }

    /** Deliveries to count as already made, 0 or more. */
    public int tries() {
        return tries;
    }

    /** When it may first be handed out. */
    public Due due() {
        return due;
    }

    /** Builds one {@link NewMessage}; not thread-safe. */
    public static final class Builder {
        private @Nullable String id;
        private @Nullable EncodedPayload payload;
        private Headers headers = Headers.empty();
        private int tries;
        private Due due = Due.now();

        private Builder() {}

        /** Sets {@link NewMessage#id()}. */
        public Builder id(@Nullable String value) {
            this.id = value;
            return this;
        }

        /** Sets {@link NewMessage#payload()}. */
        public Builder payload(EncodedPayload value) {
            this.payload = value;
            return this;
        }

        /** Sets {@link NewMessage#headers()}. */
        public Builder headers(Headers value) {
            this.headers = value;
            return this;
        }

        /** Sets {@link NewMessage#tries()}. */
        public Builder tries(int value) {
            this.tries = value;
            return this;
        }

        /** Sets {@link NewMessage#due()}. */
        public Builder due(Due value) {
            this.due = value;
            return this;
        }

        /** The finished object; throws NullPointerException when a required part is missing. */
        public NewMessage build() {
            return new NewMessage(this);
        }
    }
}
