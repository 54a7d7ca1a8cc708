package dev.jono.spi;

/** What to count. */
public final class CountsRequest {
    private final boolean history;

    private CountsRequest(Builder b) {
        this.history = b.history;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Whether to count the history too. */
    public boolean history() {
        return history;
    }

    /** Builds one {@link CountsRequest}; not thread-safe. */
    public static final class Builder {
        private boolean history;

        private Builder() {}

        /** Sets {@link CountsRequest#history()}. */
        public Builder history(boolean value) {
            this.history = value;
            return this;
        }

        /** The finished object. */
        public CountsRequest build() {
            return new CountsRequest(this);
        }
    }
}
