package dev.jono.jobs;

import dev.jono.Durations;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Options of a schedule. Immutable: each method returns a changed copy. */
public final class ScheduleOptions {
    private static final ScheduleOptions NONE = new ScheduleOptions(null, Set.of(), Duration.ofMinutes(1), false);
    /** Two more tags of a job name its schedule and its occurrence. */
    private static final int MAX_TAGS = 18;

    private final @Nullable JobPriority priority;
    private final Set<String> tags;
    private final Duration missedAfter;
    private final boolean skipsMissed;

    private ScheduleOptions(
            @Nullable JobPriority priority, Set<String> tags, Duration missedAfter, boolean skipsMissed) {
        this.priority = priority;
        this.tags = tags;
        this.missedAfter = missedAfter;
        this.skipsMissed = skipsMissed;
    }

    /** No options: the jobs have the defaults of their type, and missed occurrences run once. */
    public static ScheduleOptions none() {
        return NONE;
    }

    /** Sets the priority of the jobs. A schedule of jobs with an {@linkplain JobType#key ordering key} cannot have one. */
    public ScheduleOptions priority(JobPriority value) {
        return new ScheduleOptions(Objects.requireNonNull(value, "priority"), tags, missedAfter, skipsMissed);
    }

    /**
     * Adds a tag to the jobs.
     *
     * @param tag 1 to 100 characters, no comma, no control characters
     * @throws IllegalArgumentException if the tag is not allowed, or the jobs have 18 tags already
     */
    public ScheduleOptions tag(String tag) {
        Set<String> more = new LinkedHashSet<>(tags);
        more.add(Tags.check(tag));
        if (more.size() > MAX_TAGS) {
            throw new IllegalArgumentException("a schedule gives its jobs at most " + MAX_TAGS + " tags");
        }
        return new ScheduleOptions(priority, Collections.unmodifiableSet(more), missedAfter, skipsMissed);
    }

    /**
     * Sets after which time an occurrence is missed; a minute by default. An occurrence is missed if no process with runners could
     * enqueue its job so soon after its time.
     *
     * @throws IllegalArgumentException if it is less than a millisecond, or longer than ten years
     */
    public ScheduleOptions missedAfter(Duration value) {
        return new ScheduleOptions(priority, tags, Durations.positive(value, "missedAfter"), skipsMissed);
    }

    /** Skips missed occurrences. By default, one job is enqueued for all occurrences that were missed together. */
    public ScheduleOptions skipMissed() {
        return new ScheduleOptions(priority, tags, missedAfter, true);
    }

    /** The priority; null if the jobs have the priority of their type. */
    public @Nullable JobPriority priority() {
        return priority;
    }

    /** The tags. */
    public Set<String> tags() {
        return tags;
    }

    /** After which time an occurrence is missed. */
    public Duration missedAfter() {
        return missedAfter;
    }

    /** Whether missed occurrences are skipped. */
    public boolean skipsMissed() {
        return skipsMissed;
    }
}
