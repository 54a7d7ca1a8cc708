package dev.jono.spi;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.UniqueKey;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One message to store. Immutable. */
public final class NewMessage {
    private final @Nullable String id;
    private final EncodedPayload payload;
    private final Headers headers;
    private final int tries;
    private final Due due;
    private final @Nullable UniqueKey unique;

    private NewMessage(Builder b) {
        this.id = b.id;
        this.payload = Objects.requireNonNull(b.payload, "payload");
        this.headers = b.headers;
        this.tries = b.tries;
        this.due = b.due;
        this.unique = b.unique;
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The id to store the message under; null for a new id. The engine sets it when a message moves between stores and
     * must keep its id. If the store already has a live message of this id, it leaves that message unchanged and reports
     * success.
     */
    public @Nullable String id() {
        return id;
    }

    /** The encoded payload, never null. */
    public EncodedPayload payload() {
        return payload;
    }

    /** The headers; may be empty, never null. */
    public Headers headers() {
        return headers;
    }

    /** The ordering key, which is the header {@link Headers#KEY}; null if the message has none. */
    public @Nullable String key() {
        return headers.string(Headers.KEY);
    }

    /**
     * The key that makes the message unique; null for none. The store stores the message only if the key is not remembered,
     * and then remembers it with the id for the window, in the same step. Needs {@code DEDUPLICATE}.
     */
    public @Nullable UniqueKey unique() {
        return unique;
    }

    /** The number of deliveries that count as already made, 0 or more. Default 0. */
    public int tries() {
        return tries;
    }

    /** When the message may first be handed out. Default {@link Due#now()}. */
    public Due due() {
        return due;
    }

    /** A builder of {@link NewMessage}. Not thread-safe. */
    public static final class Builder {
        private @Nullable String id;
        private @Nullable EncodedPayload payload;
        private Headers headers = Headers.empty();
        private int tries;
        private Due due = Due.now();
        private @Nullable UniqueKey unique;

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

        /** Sets {@link NewMessage#unique()}. */
        public Builder unique(@Nullable UniqueKey value) {
            this.unique = value;
            return this;
        }

        /**
         * Builds the object.
         *
         * @throws NullPointerException if the payload is missing
         */
        public NewMessage build() {
            return new NewMessage(this);
        }
    }
}
