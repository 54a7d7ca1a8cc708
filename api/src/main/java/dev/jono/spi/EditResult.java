package dev.jono.spi;

import dev.jono.EditOutcome;
import java.util.List;

/** The outcome of a {@link RescheduleRequest} or a {@link MoveIdleRequest}, per id. Immutable. */
public final class EditResult {
    private final List<EditOutcome> outcomes;
    private final long storageMillis;

    private EditResult(Builder b) {
        this.outcomes = List.copyOf(b.outcomes);
        this.storageMillis = b.storageMillis;
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The outcomes, one per id, in the order of the request. */
    public List<EditOutcome> outcomes() {
        return outcomes;
    }

    /** The storage's clock at the time of the call, in milliseconds since the epoch. */
    public long storageMillis() {
        return storageMillis;
    }

    /** A builder of {@link EditResult}. Not thread-safe. */
    public static final class Builder {
        private List<EditOutcome> outcomes = List.of();
        private long storageMillis;

        private Builder() {}

        /** Sets {@link EditResult#outcomes()}. */
        public Builder outcomes(List<EditOutcome> value) {
            this.outcomes = value;
            return this;
        }

        /** Sets {@link EditResult#storageMillis()}. */
        public Builder storageMillis(long value) {
            this.storageMillis = value;
            return this;
        }

        /** Builds the object. */
        public EditResult build() {
            return new EditResult(this);
        }
    }
}
