package dev.jono.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which messages to read: those of some ids, or a page of a view. Immutable. */
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

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The ids to read, within {@link #view()}. The result has the messages in any order, and leaves out ids that do not
     * exist. Empty to read a page.
     */
    public List<String> ids() {
        return ids;
    }

    /** What to page through. */
    public View view() {
        return view;
    }

    /**
     * The {@link StoredMessage#cursor()} after which the page begins; null for the beginning. The message of the cursor
     * may have left the queue meanwhile.
     */
    public @Nullable String after() {
        return after;
    }

    /**
     * Most messages to return in a page, 1 or more. Default 100. A page has fewer only if no message follows, also if messages are
     * consumed while it is read.
     */
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

    /** A builder of {@link BrowseRequest}. Not thread-safe. */
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

        /** Builds the object. */
        public BrowseRequest build() {
            return new BrowseRequest(this);
        }
    }
}
