package dev.jono.dashboard.internal.source;

import dev.jono.JonoClock;
import dev.jono.dashboard.Operation;
import dev.jono.dashboard.internal.http.ProblemException;
import dev.jono.jobs.BatchView;
import dev.jono.jobs.JobLogLine;
import dev.jono.jobs.JobPage;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobView;
import dev.jono.jobs.RunnerView;
import dev.jono.jobs.ScheduleView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks at jobs, types, schedules, batches and runners. Thread-safe. */
public final class JobViews {
    private final Payloads payloads;
    private final Samples<Watched, JobDetail> watched;

    private record Watched(Source source, String id) {}

    public JobViews(Payloads payloads, JonoClock clock) {
        this.payloads = payloads;
        this.watched = new Samples<>(clock, job -> JobDetail.of(find(job.source, job.id), payloads, null));
    }

    /** What a list of jobs is about. Null and empty texts choose all. */
    public record Selection(
            @Nullable String type,
            @Nullable String state,
            @Nullable String tag,
            @Nullable String key,
            @Nullable String batch) {
        JobQuery query() {
            JobQuery query = type == null ? JobQuery.all() : JobQuery.ofType(type);
            query = state == null ? query : query.state(JobViews.state(state));
            query = tag == null ? query : query.tag(tag);
            query = key == null ? query : query.key(key);
            return batch == null ? query : query.batch(batch);
        }
    }

    /** The state of this name. */
    public static JobState state(String text) {
        try {
            return JobState.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw ProblemException.bad("'" + text + "' is not a state of jobs");
        }
    }

    /** The types that the user may see, with the numbers of their jobs. */
    public List<TypeCounts> types(Source source, Viewer viewer) {
        Map<String, Map<JobState, Long>> counts = source.counts();
        List<TypeCounts> types = new ArrayList<>();
        for (String type : source.names().types()) {
            if (viewer.may(Operation.VIEW, type)) {
                types.add(new TypeCounts(type, null, counts.getOrDefault(type, Map.of())));
            }
        }
        return types;
    }

    /** A page of jobs. */
    public Page<JobDetail> list(Source source, Viewer viewer, Selection selection, @Nullable String after, int limit) {
        JobQuery query = selection.query().limit(limit);
        JobPage page = source.jobs().find(after == null ? query : query.after(after));
        List<JobDetail> jobs = page.jobs().stream()
                .filter(job -> viewer.may(Operation.VIEW, job.type()))
                .map(job -> JobDetail.of(job, payloads, null))
                .toList();
        return new Page<>(jobs, page.next().orElse(null));
    }

    /** A job that is there, and that the user may see. */
    public JobDetail job(Source source, Viewer viewer, String id) {
        JobView job = find(source, viewer, id);
        return JobDetail.of(job, payloads, Obstacles.of(source, job));
    }

    /** A job that the user watches, as it was a moment ago. All who watch it share one read. */
    public JobDetail live(Source source, Viewer viewer, String id) {
        JobDetail job = watched.get(new Watched(source, id));
        viewer.require(Operation.VIEW, job.type());
        return job;
    }

    static JobView find(Source source, Viewer viewer, String id) {
        JobView found = find(source, id);
        viewer.require(Operation.VIEW, found.type());
        return found;
    }

    private static JobView find(Source source, String id) {
        Optional<JobView> job;
        try {
            job = source.jobs().get(id);
        } catch (IllegalArgumentException e) {
            throw ProblemException.missing("'" + id + "' is not the id of a job");
        }
        return job.orElseThrow(() ->
                ProblemException.missing("there is no job '" + id + "': it was removed, or its record has expired"));
    }

    /** The last lines of the log of a job, as they may be shown. */
    public List<JobLogLine> log(Source source, Viewer viewer, String id) {
        return log(source, find(source, viewer, id).type(), id);
    }

    /** The same for a job that is known to be of a type that the user may see. */
    public List<JobLogLine> log(Source source, String type, String id) {
        return source.jobs().log(id).stream()
                .map(line -> new JobLogLine(line.time(), line.attempt(), payloads.text(type, line.text())))
                .toList();
    }

    /** All schedules of types that the user may see. */
    public List<ScheduleDetail> schedules(Source source, Viewer viewer) {
        return source.jobs().schedules().stream()
                .filter(schedule -> viewer.may(Operation.VIEW, schedule.type()))
                .map(schedule -> ScheduleDetail.of(schedule, payloads))
                .toList();
    }

    /** A schedule that is there. */
    public ScheduleDetail schedule(Source source, Viewer viewer, String name) {
        return schedules(source, viewer).stream()
                .filter(schedule -> schedule.name().equals(name))
                .findFirst()
                .orElseThrow(() -> ProblemException.missing("there is no schedule '" + name + "'"));
    }

    /** A page of batches, sorted by name. */
    public Page<BatchView> batches(Source source, String after, int limit) {
        List<BatchView> read = source.jobs().batches(after, limit + 1);
        List<BatchView> shown = read.subList(0, Math.min(limit, read.size()));
        return new Page<>(shown, read.size() > limit ? shown.get(limit - 1).name() : null);
    }

    /** The runners that have reported in the last seconds, with those of their jobs that the user may see. */
    public List<RunnerView> runners(Source source, Viewer viewer) {
        return source.runners().stream()
                .map(runner -> runner.withJobs(runner.jobs().stream()
                        .filter(job -> viewer.may(Operation.VIEW, JobChanges.typeOf(job.id())))
                        .toList()))
                .toList();
    }

    /** A schedule as it is shown; names and meanings are those of {@link ScheduleView}. */
    public record ScheduleDetail(
            String name,
            String cron,
            String words,
            String zone,
            String type,
            String priority,
            PayloadView payload,
            boolean paused,
            @Nullable Instant next,
            @Nullable Instant last) {
        private static ScheduleDetail of(ScheduleView schedule, Payloads payloads) {
            return new ScheduleDetail(
                    schedule.name(),
                    schedule.cron(),
                    schedule.words(),
                    schedule.zone().getId(),
                    schedule.type(),
                    schedule.priority().name().toLowerCase(Locale.ROOT),
                    payloads.view(schedule.type(), schedule.payload()),
                    schedule.isPaused(),
                    schedule.next().orElse(null),
                    schedule.last().orElse(null));
        }
    }
}
