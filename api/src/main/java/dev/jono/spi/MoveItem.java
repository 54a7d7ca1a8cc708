package dev.jono.spi;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One reserved message to move, and the changes that the move makes. Immutable. */
public final class MoveItem {
    private final Receipt receipt;
    private final String toQueue;
    private final Due due;
    private final int tries;
    private final @Nullable EncodedPayload payload;
    private final Headers addHeaders;
    private final Set<String> dropHeaders;

    private MoveItem(Builder b) {
        this.receipt = Objects.requireNonNull(b.receipt, "receipt");
        this.toQueue = Objects.requireNonNull(b.toQueue, "toQueue");
        this.due = b.due;
        this.tries = b.tries;
        this.payload = b.payload;
        this.addHeaders = b.addHeaders;
        this.dropHeaders = Set.copyOf(b.dropHeaders);
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The reservation of the message. */
    public Receipt receipt() {
        return receipt;
    }

    /** The name of the target queue; may be the queue that the message is in. */
    public String toQueue() {
        return toQueue;
    }

    /** When the message may be handed out in the target queue. Default {@link Due#now()}. */
    public Due due() {
        return due;
    }

    /** The tries of the message in the target queue. Default 0. */
    public int tries() {
        return tries;
    }

    /** The new payload; null keeps the stored one. */
    public @Nullable EncodedPayload payload() {
        return payload;
    }

    /** The headers to set; all others stay. Default: none. */
    public Headers addHeaders() {
        return addHeaders;
    }

    /** The names of headers to remove, before {@link #addHeaders()} are set. Default: none. */
    public Set<String> dropHeaders() {
        return dropHeaders;
    }

    /** A builder of {@link MoveItem}. Not thread-safe. */
    public static final class Builder {
        private @Nullable Receipt receipt;
        private @Nullable String toQueue;
        private Due due = Due.now();
        private int tries;
        private @Nullable EncodedPayload payload;
        private Headers addHeaders = Headers.empty();
        private Set<String> dropHeaders = Set.of();

        private Builder() {}

        /** Sets {@link MoveItem#receipt()}. */
        public Builder receipt(Receipt value) {
            this.receipt = value;
            return this;
        }

        /** Sets {@link MoveItem#toQueue()}. */
        public Builder toQueue(String value) {
            this.toQueue = value;
            return this;
        }

        /** Sets {@link MoveItem#due()}. */
        public Builder due(Due value) {
            this.due = value;
            return this;
        }

        /** Sets {@link MoveItem#tries()}. */
        public Builder tries(int value) {
            this.tries = value;
            return this;
        }

        /** Sets {@link MoveItem#payload()}. */
        public Builder payload(@Nullable EncodedPayload value) {
            this.payload = value;
            return this;
        }

        /** Sets {@link MoveItem#addHeaders()}. */
        public Builder addHeaders(Headers value) {
            this.addHeaders = value;
            return this;
        }

        /** Sets {@link MoveItem#dropHeaders()}. */
        public Builder dropHeaders(Set<String> value) {
            this.dropHeaders = value;
            return this;
        }

        /**
         * Builds the object.
         *
         * @throws NullPointerException if the receipt or the target queue is missing
         */
        public MoveItem build() {
            return new MoveItem(this);
        }
    }
}
