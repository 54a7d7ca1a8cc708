package dev.jono.jobs;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Selects jobs for {@link Jobs#find} and for the calls that change many jobs. Immutable: each method returns a changed copy.
 *
 * <pre>{@code
 * JobPage failed = jobs.find(JobQuery.ofType("resize").state(JobState.FAILED).limit(20));
 * }</pre>
 */
public final class JobQuery {
    private static final JobQuery ALL = new JobQuery(null, null, null, null, null, null, 50);
    private static final int MAX_LIMIT = 1000;

    private final @Nullable String type;
    private final @Nullable JobState state;
    private final @Nullable String tag;
    private final @Nullable String key;
    private final @Nullable String batch;
    private final @Nullable String after;
    private final int limit;

    private JobQuery(
            @Nullable String type,
            @Nullable JobState state,
            @Nullable String tag,
            @Nullable String key,
            @Nullable String batch,
            @Nullable String after,
            int limit) {
        this.type = type;
        this.state = state;
        this.tag = tag;
        this.key = key;
        this.batch = batch;
        this.after = after;
        this.limit = limit;
    }

    /** Selects all jobs. */
    public static JobQuery all() {
        return ALL;
    }

    /** Selects the jobs of one type, by its name. */
    public static JobQuery ofType(String type) {
        return new JobQuery(Objects.requireNonNull(type, "type"), null, null, null, null, null, ALL.limit);
    }

    /** Selects the jobs of one type. */
    public static JobQuery ofType(JobType<?, ?> type) {
        return ofType(type.name());
    }

    /** Only jobs in this state. */
    public JobQuery state(JobState value) {
        return new JobQuery(type, Objects.requireNonNull(value, "state"), tag, key, batch, after, limit);
    }

    /** Only jobs with this tag. */
    public JobQuery tag(String value) {
        return new JobQuery(type, state, Objects.requireNonNull(value, "tag"), key, batch, after, limit);
    }

    /** Only jobs with this ordering key. Ended jobs are searched page by page, so a page can take long if few jobs have the key. */
    public JobQuery key(String value) {
        return new JobQuery(type, state, tag, Objects.requireNonNull(value, "key"), batch, after, limit);
    }

    /** Only jobs of this batch. */
    public JobQuery batch(String value) {
        return new JobQuery(type, state, tag, key, Objects.requireNonNull(value, "batch"), after, limit);
    }

    /** Continues after a page: {@link JobPage#next}. */
    public JobQuery after(String cursor) {
        return new JobQuery(type, state, tag, key, batch, Objects.requireNonNull(cursor, "cursor"), limit);
    }

    /**
     * Sets the size of a page; 50 by default.
     *
     * @throws IllegalArgumentException if it is not from 1 to 1,000
     */
    public JobQuery limit(int value) {
        if (value < 1 || value > MAX_LIMIT) {
            throw new IllegalArgumentException("limit must be from 1 to " + MAX_LIMIT + ": " + value);
        }
        return new JobQuery(type, state, tag, key, batch, after, value);
    }

    /** The name of the type; null for all types. */
    public @Nullable String type() {
        return type;
    }

    /** The state; null for all states. */
    public @Nullable JobState state() {
        return state;
    }

    /** The tag; null if jobs need no tag. */
    public @Nullable String tag() {
        return tag;
    }

    /** The ordering key; null if jobs need no key. */
    public @Nullable String key() {
        return key;
    }

    /** The name of the batch; null if jobs need no batch. */
    public @Nullable String batch() {
        return batch;
    }

    /** The end of the previous page; null for the first page. */
    public @Nullable String after() {
        return after;
    }

    /** The size of a page. */
    public int limit() {
        return limit;
    }
}
