package dev.jono.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of each message of an {@link InsertRequest}. */
public final class InsertResult {
    private final List<Item> items;
    private final long storageMillis;

    private InsertResult(Builder b) {
        this.items = List.copyOf(b.items);
        this.storageMillis = b.storageMillis;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** One per message, in the order of the request. */
    public List<Item> items() {
        return items;
    }

    /** The storage clock at the call, milliseconds since the epoch. */
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

        /** Stored under this id. */
        public static Item stored(String id) {
            return new Item(id, false, null);
        }

        /** Not stored again: the storage already knew it, under this id. */
        public static Item duplicate(String id) {
            return new Item(id, true, null);
        }

        /** Refused, and certainly not stored; the exception goes to the one caller. */
        public static Item failed(RuntimeException failure) {
            return new Item(null, false, failure);
        }

        /** The id; null when refused. */
        public @Nullable String id() {
            return id;
        }

        /** Whether the storage already knew it. */
        public boolean duplicate() {
            return duplicate;
        }

        /** Why it was refused; null when stored. */
        public @Nullable RuntimeException failure() {
            return failure;
        }
    }

    /** Builds one {@link InsertResult}; not thread-safe. */
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

        /** The finished object. */
        public InsertResult build() {
            return new InsertResult(this);
        }
    }
}
