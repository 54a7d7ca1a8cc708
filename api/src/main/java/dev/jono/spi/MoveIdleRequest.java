package dev.jono.spi;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Messages to move into another queue of this storage, unless they are reserved. Immutable. */
public final class MoveIdleRequest {
    private final List<String> ids;
    private final String toQueue;
    private final Set<String> dropHeaders;
    private final boolean keepsTriesAndDue;
    private final String token;

    private MoveIdleRequest(Builder b) {
        this.ids = List.copyOf(b.ids);
        this.toQueue = Objects.requireNonNull(b.toQueue, "toQueue");
        this.dropHeaders = Set.copyOf(b.dropHeaders);
        this.keepsTriesAndDue = b.keepsTriesAndDue;
        this.token = Objects.requireNonNull(b.token, "token");
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The ids of the messages. For empty lists see rule 6 of {@link QueueStore}. */
    public List<String> ids() {
        return ids;
    }

    /** The name of the target queue; {@link Backend#movesAtomically} accepts the pair. */
    public String toQueue() {
        return toQueue;
    }

    /** The names of headers to remove from the messages. Default: none. */
    public Set<String> dropHeaders() {
        return dropHeaders;
    }

    /**
     * Whether the messages keep their tries and their due times, as they are at the time of the move. The due time of a message whose
     * lease has ended is the one before the claim. Default: false; then a message has 0 tries, and is due at once.
     */
    public boolean keepsTriesAndDue() {
        return keepsTriesAndDue;
    }

    /**
     * The token that names this call. A repeated call has the same token, and takes effect once; see {@link
     * BackendTraits#repeatable()}.
     */
    public String token() {
        return token;
    }

    /** A builder of {@link MoveIdleRequest}. Not thread-safe. */
    public static final class Builder {
        private List<String> ids = List.of();
        private @Nullable String toQueue;
        private Set<String> dropHeaders = Set.of();
        private boolean keepsTriesAndDue;
        private @Nullable String token;

        private Builder() {}

        /** Sets {@link MoveIdleRequest#ids()}. */
        public Builder ids(List<String> value) {
            this.ids = value;
            return this;
        }

        /** Sets {@link MoveIdleRequest#toQueue()}. */
        public Builder toQueue(String value) {
            this.toQueue = value;
            return this;
        }

        /** Sets {@link MoveIdleRequest#dropHeaders()}. */
        public Builder dropHeaders(Set<String> value) {
            this.dropHeaders = value;
            return this;
        }

        /** Sets {@link MoveIdleRequest#keepsTriesAndDue()}. */
        public Builder keepsTriesAndDue(boolean value) {
            this.keepsTriesAndDue = value;
            return this;
        }

        /** Sets {@link MoveIdleRequest#token()}. */
        public Builder token(String value) {
            this.token = value;
            return this;
        }

        /**
         * Builds the object.
         *
         * @throws NullPointerException if the target queue or the token is missing
         */
        public MoveIdleRequest build() {
            return new MoveIdleRequest(this);
        }
    }
}
