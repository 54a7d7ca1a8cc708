package dev.jono.dashboard.internal.kue;

import dev.jono.dashboard.Operation;
import dev.jono.dashboard.internal.http.ProblemException;
import dev.jono.dashboard.internal.source.Input;
import dev.jono.dashboard.internal.source.JobChanges.Action;
import dev.jono.dashboard.internal.source.Services;
import dev.jono.dashboard.internal.source.Source;
import dev.jono.dashboard.internal.source.Viewer;
import dev.jono.jobs.JobLogLine;
import dev.jono.jobs.JobPage;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobView;
import dev.jono.jobs.RunnerView;
import dev.jono.jobs.RunningJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds and changes jobs for the routes of Kue. Rights are checked, and changes are logged, as for all of the dashboard. Thread-safe.
 */
final class KueJobs {
    /** One page of a list looks at up to 1,000 messages of each queue of a type. */
    private static final int MAX_PAGES = 50;

    private static final int MAX_FOUND = 100;

    private final Services services;

    KueJobs(Services services) {
        this.services = services;
    }

    /** A storage, and the user who looks at it. */
    record Caller(Source source, Viewer viewer) {}

    /** The number of jobs of all types that the user may see, by state. */
    Map<JobState, Long> counts(Caller caller) {
        Map<JobState, Long> sums = new TreeMap<>();
        visible(caller)
                .values()
                .forEach(counts -> counts.forEach((state, count) -> sums.merge(state, count, Long::sum)));
        return sums;
    }

    private Map<String, Map<JobState, Long>> visible(Caller caller) {
        caller.viewer.require(Operation.VIEW, "");
        Map<String, Map<JobState, Long>> visible = new TreeMap<>(caller.source.counts());
        visible.keySet().removeIf(type -> !caller.viewer.may(Operation.VIEW, type));
        return visible;
    }

    /** The number of jobs of one type, by state. */
    Map<JobState, Long> counts(Caller caller, String type) {
        caller.viewer.require(Operation.VIEW, type);
        return KueInput.isType(type) ? caller.source.counts(type).counts() : Map.of();
    }

    /** The types that have jobs. */
    List<String> types(Caller caller) {
        caller.viewer.require(Operation.VIEW, "");
        return caller.source.names().types().stream()
                .filter(type -> caller.viewer.may(Operation.VIEW, type))
                .toList();
    }

    /** A job that is there; empty if there is none with this number. */
    Optional<KueJob> find(Caller caller, String number) {
        return number(number)
                .flatMap(value -> caller.source
                        .jobs()
                        .numbers()
                        .job(value)
                        .flatMap(caller.source.jobs()::get)
                        .map(job -> {
                            caller.viewer.require(Operation.VIEW, job.type());
                            return job(job, value, runs(caller, List.of(job)), true);
                        }));
    }

    private static Optional<Long> number(String text) {
        return text.matches("\\d{1,15}") ? Optional.of(Long.valueOf(text)) : Optional.empty();
    }

    private KueJob job(JobView job, long number, Map<String, KueJob.Run> runs, boolean whole) {
        return new KueJob(job, number, runs.get(job.id()), whole, services.payloads());
    }

    /** The present runs, as their runners have reported them in the last seconds. */
    private static Map<String, KueJob.Run> runs(Caller caller, List<JobView> jobs) {
        Map<String, KueJob.Run> runs = new LinkedHashMap<>();
        if (jobs.stream().anyMatch(job -> job.state() == JobState.RUNNING)) {
            for (RunnerView runner : caller.source.runners()) {
                for (RunningJob job : runner.jobs()) {
                    runs.put(job.id(), new KueJob.Run(runner.name(), job.startedAt()));
                }
            }
        }
        return runs;
    }

    /** The jobs of a range, in the order of their numbers. */
    List<KueJob> list(Caller caller, KueRange range) {
        List<JobState> states = states(range);
        List<JobView> found = new ArrayList<>();
        if (range.to() >= range.from()) {
            Search search = new Search(caller, null, range.to() + 1);
            typesWith(caller, range).forEach(type -> search.add(type, states));
            found.addAll(search.found);
        }
        List<JobView> jobs = found.subList(Math.min(range.from(), found.size()), found.size());
        Comparator<KueJob> order = Comparator.comparingLong(KueJob::number);
        return numbered(caller, jobs).stream()
                .sorted(range.descending() ? order.reversed() : order)
                .toList();
    }

    /** Jono's states; none for a state that does not exist. */
    private static List<JobState> states(KueRange range) {
        String state = range.state();
        return state == null
                ? List.of(JobState.values())
                : KueState.named(state).map(KueState::states).orElse(List.of());
    }

    private List<String> typesWith(Caller caller, KueRange range) {
        String type = range.type();
        if (type != null) {
            caller.viewer.require(Operation.VIEW, type);
            return KueInput.isType(type) ? List.of(type) : List.of();
        }
        String state = range.state();
        Optional<KueState> wanted = state == null ? Optional.empty() : KueState.named(state);
        // A type without a job in the state is not searched. Blocked jobs can be counted as scheduled ones.
        return visible(caller).entrySet().stream()
                .filter(each -> wanted.isEmpty()
                        || wanted.get().count(each.getValue()) > 0
                        || (wanted.get() == KueState.INACTIVE && KueState.DELAYED.count(each.getValue()) > 0))
                .map(Map.Entry::getKey)
                .toList();
    }

    private List<KueJob> numbered(Caller caller, List<JobView> jobs) {
        Map<String, Long> numbers =
                caller.source.jobs().numbers().of(jobs.stream().map(JobView::id).toList());
        Map<String, KueJob.Run> runs = runs(caller, jobs);
        List<KueJob> numbered = new ArrayList<>();
        for (JobView job : jobs) {
            numbered.add(job(job, numbers.getOrDefault(job.id(), 0L), runs, false));
        }
        return numbered;
    }

    /** Jobs of several types and states. Used by one thread. */
    private static final class Search {
        private final Caller caller;
        private final @Nullable String tag;
        private final int most;
        private final List<JobView> found = new ArrayList<>();
        private int pages;

        Search(Caller caller, @Nullable String tag, int most) {
            this.caller = caller;
            this.tag = tag;
            this.most = most;
        }

        void add(String type, List<JobState> states) {
            for (JobState state : states) {
                JobQuery query = JobQuery.ofType(type).state(state);
                Optional<JobQuery> next = Optional.of(tag == null ? query : query.tag(tag));
                while (next.isPresent() && found.size() < most && pages < MAX_PAGES) {
                    JobQuery asked = next.get().limit(Math.min(1_000, most - found.size()));
                    JobPage page = caller.source.jobs().find(asked);
                    found.addAll(page.jobs());
                    pages++;
                    next = page.next().map(asked::after);
                }
            }
        }
    }

    /** The numbers of jobs that have a tag. */
    List<Long> withTag(Caller caller, String tag) {
        if (tag.isBlank()) {
            return List.of();
        }
        Search search = new Search(caller, tag, MAX_FOUND);
        visible(caller).keySet().forEach(type -> search.add(type, List.of(JobState.values())));
        return numbered(caller, search.found).stream()
                .map(KueJob::number)
                .sorted()
                .toList();
    }

    /** The lines of the log of a job; none if there is no such job. */
    List<String> log(Caller caller, String number) {
        return find(caller, number)
                .map(job -> services.jobs()
                        .log(caller.source, job.view().type(), job.view().id()))
                .orElse(List.of())
                .stream()
                .map(JobLogLine::text)
                .toList();
    }

    /** Enqueues a job. Returns its number. */
    long create(Caller caller, Input job) {
        String id =
                services.jobChanges().enqueue(caller.source, caller.viewer, job).id();
        return caller.source.jobs().numbers().of(List.of(id)).getOrDefault(id, 0L);
    }

    /** Removes a job that does not run. */
    void remove(Caller caller, KueJob job) {
        change(caller, job, Action.REMOVE, Input.none());
    }

    /** Changes the priority of a job that does not run. */
    void prioritize(Caller caller, KueJob job, JobPriority priority) {
        change(caller, job, Action.PRIORITY, Input.of("priority", priority.name()));
    }

    /** Makes a job due. One that has ended well, or was cancelled, is enqueued again as a new job. */
    void restart(Caller caller, KueJob job) {
        switch (job.view().state()) {
            case FAILED -> change(caller, job, Action.RETRY, Input.none());
            case SCHEDULED, RETRYING -> change(caller, job, Action.RUN, Input.none());
            case SUCCEEDED, CANCELLED, EXPIRED -> change(caller, job, Action.RERUN, Input.none());
            case WAITING, BLOCKED ->
                caller.viewer.require(Operation.RUN, job.view().type());
            case RUNNING -> throw ProblemException.conflict("job \"" + job.number() + "\" is active");
        }
    }

    /** Gives a job another state, as far as Jono can: makes it due, or cancels it. */
    void change(Caller caller, KueJob job, KueState state) {
        if (state == KueState.INACTIVE) {
            restart(caller, job);
        } else if (state == KueState.FAILED && !job.view().state().isEnded()) {
            change(caller, job, Action.CANCEL, Input.of("reason", "failed by hand"));
        } else if (state != job.state()) {
            throw ProblemException.conflict("a job that is " + job.state().label() + " cannot become " + state.label());
        }
    }

    private void change(Caller caller, KueJob job, Action action, Input input) {
        services.jobChanges().change(caller.source, caller.viewer, job.view().id(), action, input);
    }
}
