package dev.jono.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of an {@link InsertRequest} or a {@link RestoreRequest}, per message. Immutable. */
public final class InsertResult {
    private final List<Item> items;
    private final long storageMillis;

    private InsertResult(Builder b) {
        this.items = List.copyOf(b.items);
        this.storageMillis = b.storageMillis;
    }

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The outcomes, one per message, in the order of the request. */
    public List<Item> items() {
        return items;
    }

    /** The storage's clock at the time of the call, in milliseconds since the epoch. */
    public long storageMillis() {
        return storageMillis;
    }

    /** The outcome of one message: stored under an id, or refused. */
    public static final class Item {
        private final @Nullable String id;
        private final boolean duplicate;
        private final @Nullable RuntimeException failure;

        private Item(@Nullable String id, boolean duplicate, @Nullable RuntimeException failure) {
            this.id = id;
            this.duplicate = duplicate;
            this.failure = failure;
        }

        /** Returns the outcome of a message that was stored under this id. */
        public static Item stored(String id) {
            return new Item(id, false, null);
        }

        /**
         * Returns the outcome of a message that was not stored, because the storage already has one of this id, or remembers
         * this id under the message's unique key.
         */
        public static Item duplicate(String id) {
            return new Item(id, true, null);
        }

        /**
         * Returns the outcome of a message that was refused, and certainly not stored. Only the caller of this message
         * gets the exception.
         */
        public static Item failed(RuntimeException failure) {
            return new Item(null, false, failure);
        }

        /** The id; null if the message was refused. */
        public @Nullable String id() {
            return id;
        }

        /** Whether the storage already had the message, and did not store it again. */
        public boolean duplicate() {
            return duplicate;
        }

        /** The reason of a refusal; null if the message was stored. */
        public @Nullable RuntimeException failure() {
            return failure;
        }
    }

    /** A builder of {@link InsertResult}. Not thread-safe. */
    public static final class Builder {
        private List<Item> items = List.of();
        private long storageMillis;

        private Builder() {}

        /** Sets {@link InsertResult#items()}. */
        public Builder items(List<Item> value) {
            this.items = value;
            return this;
        }

        /** Sets {@link InsertResult#storageMillis()}. */
        public Builder storageMillis(long value) {
            this.storageMillis = value;
            return this;
        }

        /** Builds the object. */
        public InsertResult build() {
            return new InsertResult(this);
        }
    }
}
