package dev.jono.jobs;

import dev.jono.Durations;
import dev.jono.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Options of one job; they override the defaults of its type. Immutable: each method returns a changed copy. */
public final class EnqueueOptions {
    private static final Pattern JOB_ID = Pattern.compile("[A-Za-z0-9_.-]{1,100}:[^,\\p{Cntrl}]{1,200}");
    private static final int MAX_PREDECESSORS = 50;
    private static final EnqueueOptions NONE = new EnqueueOptions(new Settings());
    private static final int MAX_TAGS = 20;

    private final Settings settings;

    /** The options. Changed only before they are published. */
    private static final class Settings {
        private @Nullable JobPriority priority;
        private Duration delay = Duration.ZERO;
        private @Nullable Instant dueAt;
        private Set<String> tags = Set.of();
        private @Nullable String uniqueKey;
        private @Nullable UniqueMode uniqueMode;
        private @Nullable String key;
        private List<String> predecessors = List.of();
        private AfterFailure afterFailure = AfterFailure.WAIT;
        private @Nullable Tx tx;

        Settings copy() {
            Settings copy = new Settings();
            copy.priority = priority;
            copy.delay = delay;
            copy.dueAt = dueAt;
            copy.tags = tags;
            copy.uniqueKey = uniqueKey;
            copy.uniqueMode = uniqueMode;
            copy.key = key;
            copy.predecessors = predecessors;
            copy.afterFailure = afterFailure;
            copy.tx = tx;
            return copy;
        }
    }

    private EnqueueOptions(Settings settings) {
        this.settings = settings;
    }

    private EnqueueOptions with(Consumer<Settings> change) {
        Settings changed = settings.copy();
        change.accept(changed);
        return new EnqueueOptions(changed);
    }

    /** No options: the job has the defaults of its type and is due at once. */
    public static EnqueueOptions none() {
        return NONE;
    }

    /** Sets the priority of the job. */
    public EnqueueOptions priority(JobPriority value) {
        JobPriority checked = Objects.requireNonNull(value, "priority");
        return with(changed -> changed.priority = checked);
    }

    /**
     * Sets the delay until the job is due, by the storage's clock. Replaces {@link #at}.
     *
     * @throws IllegalArgumentException if it is negative or longer than ten years
     */
    public EnqueueOptions delay(Duration value) {
        Duration checked = Durations.check(value, "delay");
        return with(changed -> {
            changed.delay = checked;
            changed.dueAt = null;
        });
    }

    /** Sets the time at which the job is due, by the storage's clock. Replaces {@link #delay(Duration)}. */
    public EnqueueOptions at(Instant value) {
        Instant checked = Objects.requireNonNull(value, "due time");
        return with(changed -> {
            changed.delay = Duration.ZERO;
            changed.dueAt = checked;
        });
    }

    /**
     * Adds a tag. Records of jobs can be searched by tag.
     *
     * @param tag 1 to 100 characters, no comma, no control characters
     * @throws IllegalArgumentException if the tag is not allowed, or the job has 20 tags already
     */
    public EnqueueOptions tag(String tag) {
        Set<String> more = new LinkedHashSet<>(settings.tags);
        more.add(Tags.check(tag));
        if (more.size() > MAX_TAGS) {
            throw new IllegalArgumentException("a job has at most " + MAX_TAGS + " tags");
        }
        return with(changed -> changed.tags = Collections.unmodifiableSet(more));
    }

    /** Sets the unique key of the job. It keeps the key as the type says, by default until it has ended. */
    public EnqueueOptions unique(String key) {
        String checked = Objects.requireNonNull(key, "key");
        return with(changed -> changed.uniqueKey = checked);
    }

    /**
     * Sets the unique key of the job: while the job has it, another one of the same type and key is a duplicate, see {@link
     * JobHandle#duplicate}.
     *
     * @param key 1 to 256 characters
     * @param mode how long the job keeps the key
     */
    public EnqueueOptions unique(String key, UniqueMode mode) {
        Objects.requireNonNull(mode, "mode");
        return unique(key).with(changed -> changed.uniqueMode = mode);
    }

    /**
     * Sets the ordering key of the job, instead of the one that the function of its type returns: jobs of the type with the same key
     * run one at a time, in the order in which they were enqueued. The priority of such a job cannot be set.
     *
     * <p>The type must define {@link JobType#key}, because otherwise its runners do not look for jobs with keys; the enqueue is refused.
     * The function may return null for all payloads.
     *
     * @param value 1 to 256 characters
     */
    public EnqueueOptions key(String value) {
        String checked = Objects.requireNonNull(value, "key");
        return with(changed -> changed.key = checked);
    }

    /** As {@link #after(AfterFailure, String...)}; the job waits while one of the others has failed. */
    public EnqueueOptions after(String... jobIds) {
        return after(AfterFailure.WAIT, jobIds);
    }

    /**
     * Starts the job only after other jobs. It starts when all of them have succeeded: usually within a second, and up to 30 seconds
     * later if it has waited for minutes. A job that is gone counts as succeeded, because its record may have reached the end of its
     * retention.
     *
     * @param failure what the job does if one of them has failed, was cancelled, or has expired
     * @param jobIds the ids of 1 to 50 jobs of any types
     * @throws IllegalArgumentException if one is not the id of a job, or their number is out of range
     */
    public EnqueueOptions after(AfterFailure failure, String... jobIds) {
        Objects.requireNonNull(failure, "failure");
        if (jobIds.length < 1 || jobIds.length > MAX_PREDECESSORS) {
            throw new IllegalArgumentException(
                    "a job can start after 1 to " + MAX_PREDECESSORS + " others: " + jobIds.length);
        }
        List<String> ids = List.of(jobIds);
        ids.forEach(EnqueueOptions::checkJobId);
        return with(changed -> {
            changed.predecessors = ids;
            changed.afterFailure = failure;
        });
    }

    /**
     * Makes the enqueue part of a transaction of the application on the storage of the jobs: there is a job when the
     * transaction commits, and none when it is rolled back. See {@link dev.jono.PushOptions#in}. Works with {@code enqueue} and
     * {@code enqueueAll} of {@link Jobs}. A job of a {@link JobBatch}, and one with {@link UniqueMode#LATEST}, need more than one
     * step, and are refused.
     */
    public EnqueueOptions in(Tx value) {
        Tx checked = Objects.requireNonNull(value, "tx");
        return with(changed -> changed.tx = checked);
    }

    private static void checkJobId(String id) {
        if (!JOB_ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "'" + id + "' is not the id of a job: expected a form such as resize:17");
        }
    }

    /** The priority; null if the job has the priority of its type. */
    public @Nullable JobPriority priority() {
        return settings.priority;
    }

    /** The delay until the job is due; zero if it has none. */
    public Duration delay() {
        return settings.delay;
    }

    /** The time at which the job is due; null if {@link #delay()} applies. */
    public @Nullable Instant dueAt() {
        return settings.dueAt;
    }

    /** The tags. */
    public Set<String> tags() {
        return settings.tags;
    }

    /** The unique key; null if the type decides. */
    public @Nullable String uniqueKey() {
        return settings.uniqueKey;
    }

    /** How long the job keeps its unique key; null if the type decides. */
    public @Nullable UniqueMode uniqueMode() {
        return settings.uniqueMode;
    }

    /** The ordering key; null if the type decides. */
    public @Nullable String key() {
        return settings.key;
    }

    /** The ids of the jobs after which the job starts; none if it waits for no other. */
    public List<String> predecessors() {
        return settings.predecessors;
    }

    /** The transaction that the enqueue is part of; null if it is part of none. */
    public @Nullable Tx tx() {
        return settings.tx;
    }

    /** What the job does if one of its predecessors has not succeeded. */
    public AfterFailure afterFailure() {
        return settings.afterFailure;
    }
}
