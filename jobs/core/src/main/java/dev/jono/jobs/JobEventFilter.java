package dev.jono.jobs;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects events for {@link Jobs#on(JobEventFilter, JobEventListener)}. Immutable: each method returns a changed copy.
 *
 * <pre>{@code
 * jobs.on(JobEventFilter.ofType("resize").kinds(JobEvent.Kind.FAILED, JobEvent.Kind.CANCELLED), event -> alert(event));
 * }</pre>
 */
public final class JobEventFilter {
    private static final JobEventFilter ALL = new JobEventFilter(null, null, EnumSet.allOf(JobEvent.Kind.class), false);

    private final @Nullable String type;
    private final @Nullable String jobId;
    private final Set<JobEvent.Kind> kinds;
    private final boolean local;

    private JobEventFilter(@Nullable String type, @Nullable String jobId, Set<JobEvent.Kind> kinds, boolean local) {
        this.type = type;
        this.jobId = jobId;
        this.kinds = Collections.unmodifiableSet(kinds);
        this.local = local;
    }

    /** Selects all events. */
    public static JobEventFilter all() {
        return ALL;
    }

    /** Selects the events of jobs of one type, by its name. */
    public static JobEventFilter ofType(String type) {
        return new JobEventFilter(Objects.requireNonNull(type, "type"), null, ALL.kinds, false);
    }

    /** Selects the events of jobs of one type. */
    public static JobEventFilter ofType(JobType<?, ?> type) {
        return ofType(type.name());
    }

    /** Selects the events of one job, by its id. */
    public static JobEventFilter ofJob(String jobId) {
        return new JobEventFilter(null, Objects.requireNonNull(jobId, "jobId"), ALL.kinds, false);
    }

    /** Only events of these kinds. */
    public JobEventFilter kinds(JobEvent.Kind... values) {
        EnumSet<JobEvent.Kind> chosen = EnumSet.noneOf(JobEvent.Kind.class);
        chosen.addAll(Arrays.asList(values));
        return new JobEventFilter(type, jobId, chosen, local);
    }

    /** Only events of other kinds than these. */
    public JobEventFilter without(JobEvent.Kind... values) {
        EnumSet<JobEvent.Kind> chosen = EnumSet.copyOf(ALL.kinds);
        chosen.retainAll(kinds);
        Arrays.asList(values).forEach(chosen::remove);
        return new JobEventFilter(type, jobId, chosen, local);
    }

    /**
     * Only events that the listener's factory raises itself: those of jobs that it enqueues, runs or changes. Such a listener costs the
     * storage nothing. For metrics, which each process reports for itself.
     */
    public JobEventFilter local() {
        return new JobEventFilter(type, jobId, kinds, true);
    }

    /** Whether this selects only events that the listener's factory raises itself. */
    public boolean isLocal() {
        return local;
    }

    /** Whether this selects an event, without regard to {@link #isLocal}. */
    public boolean matches(JobEvent event) {
        return kinds.contains(event.kind())
                && (type == null || type.equals(event.type()))
                && (jobId == null || jobId.equals(event.jobId()));
    }
}
