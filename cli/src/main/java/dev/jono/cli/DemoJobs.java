package dev.jono.cli;

import dev.jono.Backoff;
import dev.jono.Codec;
import dev.jono.Headers;
import dev.jono.QueueFactory;
import dev.jono.cli.DemoJob.Kind;
import dev.jono.jobs.EnqueueOptions;
import dev.jono.jobs.JobHandler;
import dev.jono.jobs.JobPage;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobRunnerBuilder;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import dev.jono.jobs.Jobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The jobs of a demo in the storage: one type for each kind. Thread-safe. */
final class DemoJobs {
    /** How many jobs a runner runs at the same time. */
    static final int CONCURRENCY = 16;

    /** Short, so that the jobs of a killed runner run again soon. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    private static final Backoff BACKOFF = Backoff.exponential(Duration.ofMillis(100), 2, Duration.ofSeconds(1), 0.2);
    private static final Duration KEEP = Duration.ofHours(1);
    private static final int PAGE = 1_000;
    private static final int REMOVERS = 32;
    /** Each log is read with a call of its own, so only some are looked at. */
    private static final int LOGS_EVERY = 50;

    private final Jobs jobs;
    private final Codec<DemoJob> codec = Codec.json(DemoJob.class);
    private final Map<Kind, JobType<DemoJob, Integer>> types = new EnumMap<>(Kind.class);

    /**
     * Opens the jobs.
     *
     * @throws dev.jono.ConfigurationException if the storage has no jobs
     */
    DemoJobs(QueueFactory jono, String prefix) {
        this.jobs = Jobs.on(jono);
        for (Kind kind : Kind.values()) {
            JobType<DemoJob, Integer> type = JobType.of(prefix + kind.name().toLowerCase(Locale.ROOT), DemoJob.class)
                    .returning(Integer.class)
                    .backoff(BACKOFF)
                    .keep(KEEP, KEEP);
            types.put(kind, kind == Kind.PAYMENT ? type.key(job -> "account-" + job.account()) : type);
        }
    }

    private JobType<DemoJob, Integer> type(Kind kind) {
        return Objects.requireNonNull(types.get(kind));
    }

    /** Enqueues jobs in their order; of the mails, those of low priority first. */
    void enqueue(List<DemoJob> all) {
        List<JobPriority> lowestFirst = Arrays.asList(JobPriority.values());
        Collections.reverse(lowestFirst);
        for (JobPriority priority : lowestFirst) {
            enqueue(
                    Kind.MAIL,
                    all,
                    job -> job.kind() == Kind.MAIL && job.priority() == priority,
                    options -> options.priority(priority));
        }
        for (Kind kind : List.of(Kind.PAYMENT, Kind.VIDEO, Kind.WEBHOOK)) {
            enqueue(kind, all, job -> job.kind() == kind, options -> options);
        }
    }

    private void enqueue(
            Kind kind, List<DemoJob> all, Predicate<DemoJob> which, UnaryOperator<EnqueueOptions> options) {
        jobs.enqueueAll(type(kind), all.stream().filter(which).toList(), options);
    }

    /** Starts a runner for all jobs. */
    JobRunner start(String name, JobHandler<DemoJob, Integer> handler) {
        JobRunnerBuilder builder =
                jobs.runner().name(name).concurrency(CONCURRENCY).lease(LEASE);
        types.values().forEach(type -> builder.handle(type, handler));
        return builder.start();
    }

    /** How many jobs the storage has in each state. */
    Map<JobState, Long> counts() {
        Map<String, Map<JobState, Long>> all = jobs.counts();
        Map<JobState, Long> sum = new EnumMap<>(JobState.class);
        types.values()
                .forEach(type -> all.getOrDefault(type.name(), Map.of())
                        .forEach((state, number) -> sum.merge(state, number, Long::sum)));
        return sum;
    }

    /** The number of jobs that have not ended. */
    static long open(Map<JobState, Long> counts) {
        return counts.entrySet().stream()
                .filter(each -> !each.getKey().isEnded())
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** The ends of all ended jobs. */
    List<DemoEnd> ends() {
        List<DemoEnd> ends = new ArrayList<>();
        for (JobType<DemoJob, Integer> type : types.values()) {
            Optional<JobQuery> next = Optional.of(JobQuery.ofType(type).limit(PAGE));
            while (next.isPresent()) {
                JobQuery asked = next.get();
                JobPage page = jobs.find(asked);
                page.jobs().stream().filter(job -> job.state().isEnded()).forEach(job -> ends.add(end(job)));
                next = page.next().map(asked::after);
            }
        }
        return ends;
    }

    /** Removes all jobs that are not running, many at once: a removal takes several steps in the storage. */
    void remove() throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(REMOVERS);
        try {
            for (JobType<DemoJob, Integer> type : types.values()) {
                Optional<JobQuery> next = Optional.of(JobQuery.ofType(type).limit(PAGE));
                while (next.isPresent()) {
                    JobQuery asked = next.get();
                    JobPage page = jobs.find(asked);
                    threads.invokeAll(page.jobs().stream()
                            .<Callable<Boolean>>map(job -> () -> jobs.remove(job.id()))
                            .toList());
                    next = page.next().map(asked::after);
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private DemoEnd end(JobView view) {
        DemoJob job;
        try {
            job = codec.decode(view.payload(), Headers.empty());
        } catch (Exception e) {
            throw CliException.error("job " + view.id() + " cannot be read: " + e.getMessage(), e);
        }
        boolean wantsLog = job.kind() == Kind.VIDEO && job.sequence() % LOGS_EVERY == 0;
        return DemoEnd.of(job, view, wantsLog ? Optional.of(jobs.log(view.id())) : Optional.empty());
    }
}
