package dev.jono.spi;

/** How to delete a queue. Immutable. */
public final class DeleteRequest {
    private final boolean withMessages;

    private DeleteRequest(Builder b) {
        this.withMessages = b.withMessages;
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Whether to delete the messages too, including reserved ones. If false, a queue that holds messages is refused.
     * Default false.
     */
    public boolean withMessages() {
        return withMessages;
    }

    /** A builder of {@link DeleteRequest}. Not thread-safe. */
    public static final class Builder {
        private boolean withMessages;

        private Builder() {}

        /** Sets {@link DeleteRequest#withMessages()}. */
        public Builder withMessages(boolean value) {
            this.withMessages = value;
            return this;
        }

        /** Builds the object. */
        public DeleteRequest build() {
            return new DeleteRequest(this);
        }
    }
}
