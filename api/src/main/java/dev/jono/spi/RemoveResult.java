package dev.jono.spi;

import dev.jono.RemoveOutcome;
import java.util.List;

/** What became of each id of a {@link RemoveRequest}. */
public final class RemoveResult {
    private final List<RemoveOutcome> outcomes;

    private RemoveResult(Builder b) {
        this.outcomes = List.copyOf(b.outcomes);
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** One per id, in the order of the request. */
    public List<RemoveOutcome> outcomes() {
        return outcomes;
    }

    /** Builds one {@link RemoveResult}; not thread-safe. */
    public static final class Builder {
        private List<RemoveOutcome> outcomes = List.of();

        private Builder() {}

        /** Sets {@link RemoveResult#outcomes()}. */
        public Builder outcomes(List<RemoveOutcome> value) {
            this.outcomes = value;
            return this;
        }

        /** The finished object. */
        public RemoveResult build() {
            return new RemoveResult(this);
        }
    }
}
