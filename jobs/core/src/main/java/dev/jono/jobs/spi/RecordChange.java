package dev.jono.jobs.spi;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A write of the record of one job. Immutable. */
public final class RecordChange {
    private final String id;
    private final String type;
    private final RecordState state;
    private final int attempt;
    private final boolean reopens;
    private final String document;
    private final Set<String> tags;
    private final List<LogLine> logLines;
    private final @Nullable Long keepMillis;

    private RecordChange(Builder b) {
        this.id = Objects.requireNonNull(b.id, "id");
        this.type = Objects.requireNonNull(b.type, "type");
        this.state = b.state;
        this.attempt = b.attempt;
        this.reopens = b.reopens;
        this.document = Objects.requireNonNull(b.document, "document");
        this.tags = Set.copyOf(b.tags);
        this.logLines = List.copyOf(b.logLines);
        this.keepMillis = b.keepMillis;
        if (attempt < 0 || (keepMillis != null && keepMillis < 0)) {
            throw new IllegalArgumentException(
                    "change of job " + id + ": attempt " + attempt + ", keepMillis " + keepMillis);
        }
    }

    /** Builds a change. */
    public static Builder builder() {
        return new Builder();
    }

    /** The job. Its id begins with the name of its type and a colon. */
    public String id() {
        return id;
    }

    /** The name of its type. */
    public String type() {
        return type;
    }

    /** The new state of the record. */
    public RecordState state() {
        return state;
    }

    /** The number of the run that writes; 0 if the writer is not a run. */
    public int attempt() {
        return attempt;
    }

    /** Whether this reopens the record of a failed job. In all other states, and without a record, the change is refused. */
    public boolean reopens() {
        return reopens;
    }

    /** The new content, as JSON. */
    public String document() {
        return document;
    }

    /** The tags of the record, for searches. */
    public Set<String> tags() {
        return tags;
    }

    /** Lines to add to the log, which keeps the last 1,000 lines, and of these the last 256 KiB of UTF-8. */
    public List<LogLine> logLines() {
        return logLines;
    }

    /** The retention of the record from this write on, in milliseconds; null for no limit. */
    public @Nullable Long keepMillis() {
        return keepMillis;
    }

    /** Builds a {@link RecordChange}. Not thread-safe. */
    public static final class Builder {
        private @Nullable String id;
        private @Nullable String type;
        private RecordState state = RecordState.OPEN;
        private int attempt;
        private boolean reopens;
        private @Nullable String document;
        private Set<String> tags = Set.of();
        private List<LogLine> logLines = List.of();
        private @Nullable Long keepMillis;

        private Builder() {}

        /** Sets {@link RecordChange#id}; required. */
        public Builder id(String value) {
            this.id = value;
            return this;
        }

        /** Sets {@link RecordChange#type}; required. */
        public Builder type(String value) {
            this.type = value;
            return this;
        }

        /** Sets {@link RecordChange#state}; by default open. */
        public Builder state(RecordState value) {
            this.state = value;
            return this;
        }

        /** Sets {@link RecordChange#attempt}; by default 0. */
        public Builder attempt(int value) {
            this.attempt = value;
            return this;
        }

        /** Sets {@link RecordChange#reopens}; by default false. */
        public Builder reopens(boolean value) {
            this.reopens = value;
            return this;
        }

        /** Sets {@link RecordChange#document}; required. */
        public Builder document(String value) {
            this.document = value;
            return this;
        }

        /** Sets {@link RecordChange#tags}; by default none. */
        public Builder tags(Set<String> value) {
            this.tags = value;
            return this;
        }

        /** Sets {@link RecordChange#logLines}; by default none. */
        public Builder logLines(List<LogLine> value) {
            this.logLines = value;
            return this;
        }

        /** Sets {@link RecordChange#keepMillis}; by default no limit. */
        public Builder keepMillis(@Nullable Long value) {
            this.keepMillis = value;
            return this;
        }

        /**
         * Returns the change.
         *
         * @throws IllegalArgumentException if the attempt or the retention is negative
         */
        public RecordChange build() {
            return new RecordChange(this);
        }
    }
}
