package dev.jono.jobs;

import dev.jono.Backoff;
import dev.jono.Durations;
import dev.jono.TypeRef;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A type of jobs: its name, the types of payload and result, and defaults for its jobs. The name is stored with each job, so
 * classes can be renamed and moved. The name is the identity of the type: jobs of two objects with the same name are in the same
 * queues, and a runner has one handler for them. Immutable: each method returns a changed copy. Declare a type once, as a
 * constant:
 *
 * <pre>{@code
 * static final JobType<Resize, Thumb> RESIZE = JobType.of("resize", Resize.class)
 *         .returning(Thumb.class)
 *         .maxAttempts(5)
 *         .timeout(Duration.ofMinutes(5));
 * }</pre>
 *
 * @param <P> the type of the payload
 * @param <R> the type of the result; {@code Void} if the jobs return nothing
 */
public final class JobType<P, R> {
    private static final int MAX_PER_KEY = 1000;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,100}");

    private final String name;
    private final Type payloadType;
    private final Type resultType;
    private final TypeSettings<P> settings;

    private JobType(String name, Type payloadType, Type resultType, TypeSettings<P> settings) {
        this.name = name;
        this.payloadType = payloadType;
        this.resultType = resultType;
        this.settings = settings;
    }

    /**
     * A type without a result.
     *
     * @param name 1 to 100 letters, digits or {@code _ . -}; the names of its queues contain it, so it must not change
     * @param payload the class of the payload. Each job has one: null is refused, so {@code Void} cannot be enqueued
     * @throws IllegalArgumentException if the name is not allowed
     */
    public static <P> JobType<P, Void> of(String name, Class<P> payload) {
        return of(name, (Type) payload);
    }

    /** As {@link #of(String, Class)}, for payloads with type arguments. */
    public static <P> JobType<P, Void> of(String name, TypeRef<P> payload) {
        return of(name, payload.type());
    }

    private static <P> JobType<P, Void> of(String name, Type payload) {
        if (!NAME.matcher(Objects.requireNonNull(name, "name")).matches()) {
            throw new IllegalArgumentException(
                    "job type '" + name + "' is not allowed: 1 to 100 letters, digits or _ . -");
        }
        return new JobType<>(name, Objects.requireNonNull(payload, "payload"), Void.class, new TypeSettings<>());
    }

    private JobType<P, R> with(Consumer<TypeSettings<P>> change) {
        TypeSettings<P> changed = settings.copy();
        change.accept(changed);
        return new JobType<>(name, payloadType, resultType, changed);
    }

    /** Returns the same type with results of this class, which are stored as JSON. */
    public <S> JobType<P, S> returning(Class<S> result) {
        return new JobType<>(name, payloadType, Objects.requireNonNull(result, "result"), settings);
    }

    /** As {@link #returning(Class)}, for results with type arguments. */
    public <S> JobType<P, S> returning(TypeRef<S> result) {
        return new JobType<>(name, payloadType, result.type(), settings);
    }

    /** Sets the default priority of the jobs; {@link JobPriority#NORMAL} by default. */
    public JobType<P, R> priority(JobPriority value) {
        JobPriority checked = Objects.requireNonNull(value, "priority");
        return with(changed -> changed.priority = checked);
    }

    /**
     * Sets the maximum number of runs of a job; 25 by default. A run that a crash ends counts. A run that a stop or a snooze ends does not.
     *
     * @throws IllegalArgumentException if the number is less than 1
     */
    public JobType<P, R> maxAttempts(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("maxAttempts must be at least 1: " + value);
        }
        return with(changed -> changed.maxAttempts = value);
    }

    /** Sets the delays between attempts; exponential from 1 s to 10 min by default, see {@link Backoff#standard}. */
    public JobType<P, R> backoff(Backoff value) {
        Backoff checked = Objects.requireNonNull(value, "backoff");
        return with(changed -> changed.backoff = checked);
    }

    /**
     * Sets the maximum duration of an attempt; 1 h by default. Then the handler is interrupted, and the attempt has failed.
     *
     * @throws IllegalArgumentException if it is less than a millisecond, or longer than ten years
     */
    public JobType<P, R> timeout(Duration value) {
        Duration checked = Durations.positive(value, "timeout");
        return with(changed -> changed.timeout = checked);
    }

    /**
     * Sets the maximum time from the due time to the first attempt. A job that has not started by then ends as {@link
     * JobState#EXPIRED}. No limit by default.
     *
     * @throws IllegalArgumentException if it is less than a millisecond, or longer than ten years
     */
    public JobType<P, R> expiresAfter(Duration value) {
        Duration checked = Durations.positive(value, "expiresAfter");
        return with(changed -> changed.expiresAfter = checked);
    }

    /**
     * Sets the retention of the records of ended jobs: by default 24 hours for succeeded and expired jobs, and 7 days for failed
     * ones. Records of cancelled jobs are always kept for 24 hours, because {@link Jobs#cancel} does not know the type. With zero
     * for succeeded jobs, a succeeded job leaves no record, and its result is lost.
     *
     * @param succeeded the time for jobs that have succeeded or have expired
     * @param failed the time for failed jobs; then their messages are removed too, so that they cannot be retried
     * @throws IllegalArgumentException if one is negative or longer than ten years, or the second is less than a millisecond
     */
    public JobType<P, R> keep(Duration succeeded, Duration failed) {
        Duration checkedSucceeded = Durations.check(succeeded, "keep of succeeded jobs");
        Duration checkedFailed = Durations.positive(failed, "keep of failed jobs");
        return with(changed -> {
            changed.keepSucceeded = checkedSucceeded;
            changed.keepFailed = checkedFailed;
        });
    }

    /**
     * Sets how many records of succeeded jobs are kept, besides the time that {@link #keep} sets. The oldest go first, within about ten
     * seconds: processes with a runner of the type remove them, each by the number of its own type object. No limit by default.
     *
     * <p>Records of failed jobs stay, because their messages can be retried; so do those of cancelled and expired jobs, because jobs that
     * {@linkplain EnqueueOptions#after start after} them must learn that they have not succeeded. For {@link JobHandle#await}, a job whose
     * record is removed is gone: the number should be larger than that of the jobs that succeed within some seconds.
     *
     * @throws IllegalArgumentException if the number is less than 1; {@link #keep} with zero keeps none
     */
    public JobType<P, R> keepLast(int succeeded) {
        if (succeeded < 1) {
            throw new IllegalArgumentException("keepLast must be at least 1: " + succeeded);
        }
        return with(changed -> changed.keepLast = succeeded);
    }

    /**
     * Gives the jobs unique keys: while a job has a key, another job of this type with the same key is a duplicate, see {@link
     * JobHandle#duplicate}. No keys by default.
     *
     * @param key returns the key for a payload, 1 to 256 characters; null for a job without a key
     * @param mode how long a job keeps its key
     */
    public JobType<P, R> unique(Function<? super P, @Nullable String> key, UniqueMode mode) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(mode, "mode");
        return with(changed -> {
            changed.uniqueKey = key;
            changed.uniqueMode = mode;
        });
    }

    /**
     * Gives the jobs ordering keys: jobs with the same key run one at a time, in the order in which they were enqueued, over all
     * processes and attempts. A job that waits for its next attempt holds up those after it. Jobs with a key are in one queue of their
     * type, so they have no priority. No keys by default. Needs a backend with the capability {@link dev.jono.Capability#KEYED}.
     *
     * @param key returns the key for a payload, 1 to 256 characters; null for a job without a key
     */
    public JobType<P, R> key(Function<? super P, @Nullable String> key) {
        Objects.requireNonNull(key, "key");
        return with(changed -> changed.key = key);
    }

    /**
     * Sets how many jobs with the same {@linkplain #key key} run at the same time, over all processes; 1 by default. With more than 1
     * their order is best effort. The number must be the same in all processes. To change it, first let all jobs with keys end, then
     * delete the queue {@code {jobs:NAME}:keyed}.
     *
     * @throws IllegalArgumentException if the number is not from 1 to 1,000
     */
    public JobType<P, R> limitPerKey(int jobs) {
        if (jobs < 1 || jobs > MAX_PER_KEY) {
            throw new IllegalArgumentException("limitPerKey must be from 1 to " + MAX_PER_KEY + ": " + jobs);
        }
        return with(changed -> changed.maxPerKey = jobs);
    }

    /**
     * Sets how many jobs of the type run at the same time, over all processes. No limit by default. A process that dies occupies its
     * part of the limit until the leases of its jobs have ended. Each process applies the number of its own type object.
     *
     * @throws IllegalArgumentException if the number is less than 1
     */
    public JobType<P, R> limit(int jobs) {
        if (jobs < 1) {
            throw new IllegalArgumentException("limit must be at least 1: " + jobs);
        }
        return with(changed -> changed.limit = jobs);
    }

    /** As {@link #rate(int, Duration, int)}, with a burst of a tenth of the number, at least 1. */
    public JobType<P, R> rate(int starts, Duration per) {
        return rate(starts, per, Math.max(1, starts / 10));
    }

    /**
     * Sets how many runs of the type start in a period of time, over all processes: a token bucket by the storage's clock. In each such
     * period, at most {@code starts + burst} runs start. No rate by default. All attempts of a job count.
     *
     * @param starts the number of runs, 1 or more
     * @param per the period, a millisecond to ten years
     * @param burst how many runs can start at once after a time without runs, 1 or more
     * @throws IllegalArgumentException if a number is out of range
     */
    public JobType<P, R> rate(int starts, Duration per, int burst) {
        Rate rate = new Rate(starts, per, burst);
        return with(changed -> changed.rate = rate);
    }

    /** The name. */
    public String name() {
        return name;
    }

    /** The Java type of the payload. */
    public Type payloadType() {
        return payloadType;
    }

    /** The Java type of the result; {@code Void.class} if there is none. */
    public Type resultType() {
        return resultType;
    }

    /** The default priority. */
    public JobPriority priority() {
        return settings.priority;
    }

    /** The maximum number of runs of a job. */
    public int maxAttempts() {
        return settings.maxAttempts;
    }

    /** The delays between attempts. */
    public Backoff backoff() {
        return settings.backoff;
    }

    /** The maximum duration of an attempt. */
    public Duration timeout() {
        return settings.timeout;
    }

    /** The maximum time from the due time to the first attempt; null if there is no limit. */
    public @Nullable Duration expiresAfter() {
        return settings.expiresAfter;
    }

    /** The retention of the records of succeeded and expired jobs. */
    public Duration keepSucceeded() {
        return settings.keepSucceeded;
    }

    /** How many records of succeeded jobs are kept; null if there is no limit. */
    public @Nullable Integer keepLast() {
        return settings.keepLast;
    }

    /** The retention of failed jobs. */
    public Duration keepFailed() {
        return settings.keepFailed;
    }

    /** Whether payloads can have unique keys. */
    public boolean hasUniqueKeys() {
        return settings.uniqueKey != null;
    }

    /** The unique key for a payload; null if it has none. */
    public @Nullable String uniqueKey(P payload) {
        Function<? super P, @Nullable String> key = settings.uniqueKey;
        return key == null ? null : key.apply(payload);
    }

    /** How long a job keeps its unique key. */
    public UniqueMode uniqueMode() {
        return settings.uniqueMode;
    }

    /** Whether payloads can have ordering keys. Unique keys of the mode {@link UniqueMode#LATEST} are ordering keys too. */
    public boolean hasKeys() {
        return settings.key != null || (hasUniqueKeys() && uniqueMode().equals(UniqueMode.LATEST));
    }

    /** The ordering key for a payload; null if it has none. */
    public @Nullable String key(P payload) {
        Function<? super P, @Nullable String> key = settings.key;
        return key == null ? null : key.apply(payload);
    }

    /** How many jobs with the same key run at the same time. */
    public int limitPerKey() {
        return settings.maxPerKey;
    }

    /** How many jobs of the type run at the same time; null if there is no limit. */
    public @Nullable Integer limit() {
        return settings.limit;
    }

    /** How many runs start in a period of time; null if there is no limit. */
    public @Nullable Rate rate() {
        return settings.rate;
    }

    @Override
    public String toString() {
        return name;
    }
}
