package dev.jono.spi;

/** How to delete a queue. */
public final class DeleteRequest {
    private final boolean withMessages;

    private DeleteRequest(Builder b) {
        this.withMessages = b.withMessages;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Whether the messages are deleted too, the reserved ones included; false refuses a queue that holds any. */
    public boolean withMessages() {
        return withMessages;
    }

    /** Builds one {@link DeleteRequest}; not thread-safe. */
    public static final class Builder {
        private boolean withMessages;

        private Builder() {}

        /** Sets {@link DeleteRequest#withMessages()}. */
        public Builder withMessages(boolean value) {
            this.withMessages = value;
            return this;
        }

        /** The finished object. */
        public DeleteRequest build() {
            return new DeleteRequest(this);
        }
    }
}
