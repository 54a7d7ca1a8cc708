package dev.jono.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which messages to show. Either some ids, or a page of a view. */
public final class BrowseRequest {
    private final List<String> ids;
    private final View view;
    private final @Nullable String after;
    private final int limit;

    private BrowseRequest(Builder b) {
        this.ids = List.copyOf(b.ids);
        this.view = b.view;
        this.after = b.after;
        this.limit = b.limit;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Show these, in any order, leaving out the absent; empty to page. */
    public List<String> ids() {
        return ids;
    }

    /** What to page through. */
    public View view() {
        return view;
    }

    /** The {@link StoredMessage#cursor()} to go on behind; null for the beginning. */
    public @Nullable String after() {
        return after;
    }

    /** The most messages to return. */
    public int limit() {
        return limit;
    }

    /** What to page through. */
    public enum View {
        /** What is in the queue: in the order of due times, reserved messages included. */
        LIVE,
        /** What was consumed and is still kept: the latest first. */
        HISTORY
    }

    /** Builds one {@link BrowseRequest}; not thread-safe. */
    public static final class Builder {
        private List<String> ids = List.of();
        private View view = View.LIVE;
        private @Nullable String after;
        private int limit = 100;

        private Builder() {}

        /** Sets {@link BrowseRequest#ids()}. */
        public Builder ids(List<String> value) {
            this.ids = value;
            return this;
        }

        /** Sets {@link BrowseRequest#view()}. */
        public Builder view(View value) {
            this.view = value;
            return this;
        }

        /** Sets {@link BrowseRequest#after()}. */
        public Builder after(@Nullable String value) {
            this.after = value;
            return this;
        }

        /** Sets {@link BrowseRequest#limit()}. */
        public Builder limit(int value) {
            this.limit = value;
            return this;
        }

        /** The finished object. */
        public BrowseRequest build() {
            return new BrowseRequest(this);
        }
    }
}
