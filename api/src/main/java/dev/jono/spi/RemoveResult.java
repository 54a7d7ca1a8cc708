package dev.jono.spi;

import dev.jono.RemoveOutcome;
import java.util.List;

/** The outcome of a {@link RemoveRequest}, per id. Immutable. */
public final class RemoveResult {
    private final List<RemoveOutcome> outcomes;

    private RemoveResult(Builder b) {
        this.outcomes = List.copyOf(b.outcomes);
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The outcomes, one per id, in the order of the request. */
    public List<RemoveOutcome> outcomes() {
        return outcomes;
    }

    /** A builder of {@link RemoveResult}. Not thread-safe. */
    public static final class Builder {
        private List<RemoveOutcome> outcomes = List.of();

        private Builder() {}

        /** Sets {@link RemoveResult#outcomes()}. */
        public Builder outcomes(List<RemoveOutcome> value) {
            this.outcomes = value;
            return this;
        }

        /** Builds the object. */
        public RemoveResult build() {
            return new RemoveResult(this);
        }
    }
}
