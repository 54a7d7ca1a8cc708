package dev.jono.spi;

/** What to count. Immutable. */
public final class CountsRequest {
    private final boolean history;

    private CountsRequest(Builder b) {
        this.history = b.history;
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Whether to count the history too. Default false. */
    public boolean history() {
        return history;
    }

    /** A builder of {@link CountsRequest}. Not thread-safe. */
    public static final class Builder {
        private boolean history;

        private Builder() {}

        /** Sets {@link CountsRequest#history()}. */
        public Builder history(boolean value) {
            this.history = value;
            return this;
        }

        /** Builds the object. */
        public CountsRequest build() {
            return new CountsRequest(this);
        }
    }
}
