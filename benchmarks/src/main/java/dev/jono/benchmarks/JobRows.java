package dev.jono.benchmarks;

import dev.jono.QueueFactory;
import dev.jono.jobs.JobHandler;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Rows about jobs. In a round, 64 calls in flight enqueue jobs while a runner runs up to 64 of them, with handlers that do nothing.
 * Both sides of a row share one storage.
 */
final class JobRows {
    private static final int AT_ONCE = 64;
    private static final int KEYS = 10_000;
    private static final int FEW = 1_000;
    private static final int PAGES = 200;
    private static final Duration KEPT = Duration.ofDays(1);

    private final int rounds;
    private final double scale;

    JobRows(int rounds, double scale) {
        this.rounds = rounds;
        this.scale = scale;
    }

    /** Adds these rows to all rows. */
    void addTo(Map<String, Callable<Row>> rows) {
        rows.put("redis-oq-jobs-worker", this::worker);
        rows.put("redis-oq-jobs-start", () -> PacedJobs.measure(rounds, scale));
        add(rows, "sqlite", Testbed::sqlite, 20_000);
        add(rows, "redis-oq", Testbed::redis, 40_000);
        add(rows, "mongo", Testbed::mongo, 20_000);
    }

    private void add(Map<String, Callable<Row>> rows, String backend, Callable<Testbed> opener, int jobs) {
        int count = count(jobs);
        rows.put(backend + "-jobs-progress", () -> progress(backend, opener, count));
        rows.put(backend + "-jobs-keyed", () -> keyed(backend, opener, count));
        rows.put(backend + "-jobs-page", () -> page(backend, opener));
    }

    private int count(int jobs) {
        return Math.max(FEW, (int) (jobs * scale));
    }

    private static JobType<String, Void> type(String name) {
        return JobType.of(name, String.class).keep(KEPT, KEPT);
    }

    private static JobHandler<String, Void> nothing() {
        return (payload, run) -> null;
    }

    /** Compares two sides on a new storage, after ours is compiled. */
    private Row compare(
            String id,
            String what,
            double atLeast,
            Callable<Testbed> opener,
            Function<QueueFactory, Interleaved.Round> ours,
            Function<QueueFactory, Interleaved.Round> theirs)
            throws Exception {
        try (Testbed testbed = opener.call()) {
            Interleaved.Round round = ours.apply(testbed.jono());
            Interleaved.warmUp(8, round);
            return Row.ratio(id, what, atLeast, Interleaved.rates(rounds, round, theirs.apply(testbed.jono())));
        }
    }

    private Row worker() throws Exception {
        int count = count(100_000);
        JobType<String, Void> type = JobType.of("unrecorded", String.class).keep(Duration.ZERO, KEPT);
        return compare(
                "redis-oq-jobs-worker",
                "redis-oq, enqueue and run jobs without records / push and handle messages",
                0.85,
                Testbed::redis,
                jono -> jobs(jono, type, count, nothing()),
                jono -> HandledMessages.round(jono, count));
    }

    private Row progress(String backend, Callable<Testbed> opener, int count) throws Exception {
        JobHandler<String, Void> handler = (payload, run) -> {
            run.progress(1, 2);
            run.log("half of {} characters", payload.length());
            run.progress(2, 2);
            return null;
        };
        return compare(
                backend + "-jobs-progress",
                backend + ", enqueue and run jobs, records kept, with progress twice and a log line / without",
                0.5,
                opener,
                jono -> jobs(jono, type("telling"), count, handler),
                jono -> jobs(jono, type("silent"), count, nothing()));
    }

    private Row keyed(String backend, Callable<Testbed> opener, int count) throws Exception {
        AtomicInteger next = new AtomicInteger();
        JobType<String, Void> type = type("keyed").key(payload -> "key-" + next.getAndIncrement() % KEYS);
        return compare(
                backend + "-jobs-keyed",
                backend + ", enqueue and run jobs, records kept, 10,000 ordering keys / no keys",
                0.6,
                opener,
                jono -> jobs(jono, type, count, nothing()),
                jono -> jobs(jono, type("unkeyed"), count, nothing()));
    }

    /** Lists the succeeded jobs of a type that has many, and of one that has few. */
    private Row page(String backend, Callable<Testbed> opener) throws Exception {
        int many = count(1_000_000);
        try (Testbed testbed = opener.call()) {
            Jobs jobs = Jobs.on(testbed.jono());
            finish(testbed.jono(), "few", FEW);
            finish(testbed.jono(), "many", many);
            return Row.ratio(
                    backend + "-jobs-page",
                    String.format("%s, pages of 50 among %,d succeeded jobs / among 1,000", backend, many),
                    1 / 1.5,
                    Interleaved.rates(rounds, () -> pages(jobs, "many"), () -> pages(jobs, "few")));
        }
    }

    private static void finish(QueueFactory jono, String type, int count) throws Exception {
        Interleaved.Round round = jobs(jono, type(type), count, nothing());
        round.before();
        round.run();
        round.after();
    }

    /** Reads the second page again and again, because the first one also looks at the queues. */
    private static long pages(Jobs jobs, String type) {
        JobQuery query = JobQuery.ofType(type).state(JobState.SUCCEEDED).limit(50);
        String second = jobs.find(query).next().orElseThrow();
        for (int i = 0; i < PAGES; i++) {
            if (jobs.find(query.after(second)).jobs().size() != 50) {
                throw new IllegalStateException("a page of type '" + type + "' is not full");
            }
        }
        return PAGES;
    }

    private static Interleaved.Round jobs(
            QueueFactory jono, JobType<String, Void> type, int count, JobHandler<String, Void> handler) {
        Jobs jobs = Jobs.on(jono);
        return new Interleaved.Round() {
            @Override
            public long run() throws Exception {
                CountDownLatch left = new CountDownLatch(count);
                JobRunner runner = jobs.runner()
                        .concurrency(AT_ONCE)
                        .handle(type, (payload, run) -> {
                            handler.run(payload, run);
                            left.countDown();
                            return null;
                        })
                        .start();
                Callers.inFlight(
                        AT_ONCE, count, () -> jobs.enqueueAsync(type, HandledMessages.PAYLOAD, options -> options));
                left.await();
                runner.close();
                return count;
            }

            @Override
            public void after() {
                Map<JobState, Long> counts = jobs.counts().getOrDefault(type.name(), Map.of());
                if (counts.keySet().stream().anyMatch(state -> state != JobState.SUCCEEDED)) {
                    throw new IllegalStateException("jobs of type '" + type + "' have not succeeded: " + counts);
                }
            }
        };
    }
}
