package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.QueueFactory;
import dev.jono.dashboard.Dashboard;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * How long pages of the dashboard take on a storage with 1,000,000 finished jobs of 200 types and with 10,000 queues (4,000 on MongoDB), and how much
 * processor time of the storage ten viewers cost. The requests go to the handler itself, without a server.
 */
final class DashboardRows {
    private static final int JOBS = 1_000_000;
    private static final int TYPES = 200;
    private static final int QUEUES = 10_000;
    /** A queue is a collection, for which MongoDB holds four files open; many systems allow 20,000. */
    private static final int MONGO_QUEUES = 4_000;

    private static final int REQUESTS = 200;
    private static final int MAX_MILLIS = 200;
    private static final String EVENTS = "/api/v1/events";
    private static final int VIEWERS = 10;
    private static final double MAX_CORES_PER_VIEWER = 0.01;
    /** A collection of MongoDB takes long to be made. */
    private static final int FILLED_AT_ONCE = 32;

    private static final String PAYLOAD = "x".repeat(100);

    private final double scale;

    DashboardRows(double scale) {
        this.scale = scale;
    }

    /** Adds these rows to all rows. */
    void addTo(Map<String, Callable<Row>> rows) {
        rows.put("sqlite-dashboard", () -> pages("sqlite", Testbed::sqlite, QUEUES));
        rows.put("redis-oq-dashboard", () -> pages("redis-oq", Testbed::redis, QUEUES));
        rows.put("mongo-dashboard", () -> pages("mongo", Testbed::mongo, MONGO_QUEUES));
    }

    private Row pages(String backend, Callable<Testbed> opener, int allQueues) throws Exception {
        int jobs = (int) (JOBS * scale);
        int queues = (int) (allQueues * scale);
        try (Testbed testbed = opener.call();
                Dashboard dashboard = Dashboard.of(testbed.jono())) {
            fillQueues(testbed.jono(), queues);
            finishJobs(Jobs.on(testbed.jono()), jobs / TYPES);
            Map<String, Double> p99 = new LinkedHashMap<>();
            for (String path : paths(Jobs.on(testbed.jono()))) {
                p99.put(path, p99Millis(dashboard, path));
            }
            Map<String, String> watched = new LinkedHashMap<>();
            paths(Jobs.on(testbed.jono())).subList(0, VIEWERS).forEach(page -> watched.put(page, streamOf(page)));
            double cores = new DashboardViewers(dashboard, watched).coresOf(testbed.process());
            double worst =
                    p99.values().stream().mapToDouble(Double::doubleValue).max().orElseThrow();
            return new Row(
                            backend + "-dashboard",
                            String.format(
                                    "%s, pages among %,d finished jobs of %d types and %,d queues",
                                    backend, jobs, TYPES, queues),
                            "p99 of each page at most " + MAX_MILLIS + " ms, at most 1 % of a core per viewer",
                            worst <= MAX_MILLIS && cores <= VIEWERS * MAX_CORES_PER_VIEWER,
                            String.format("the slowest page's p99 is %.1f ms", worst),
                            Map.copyOf(p99))
                    .with(
                            "processor time of the storage while ten people watch",
                            cores,
                            String.format("%.2f %% of a core", 100 * cores));
        }
    }

    private static void fillQueues(QueueFactory jono, int count) throws Exception {
        try (Callers callers = new Callers()) {
            callers.each(
                    FILLED_AT_ONCE,
                    count,
                    i -> jono.queue(String.format("queue-%05d", i), Codec.string())
                            .push(PAYLOAD));
        }
    }

    private static void finishJobs(Jobs jobs, int perType) throws Exception {
        for (int i = 0; i < TYPES; i++) {
            JobType<String, Void> type = JobType.of(String.format("type-%03d", i), String.class);
            CountDownLatch left = new CountDownLatch(perType);
            JobRunner runner = jobs.runner()
                    .concurrency(64)
                    .handle(type, (text, run) -> {
                        left.countDown();
                        return null;
                    })
                    .start();
            for (int done = 0; done < perType; done += 1_000) {
                jobs.enqueueAll(type, Collections.nCopies(Math.min(1_000, perType - done), PAYLOAD), o -> o);
            }
            left.await();
            runner.close();
        }
    }

    private static List<String> paths(Jobs jobs) {
        JobQuery ended = JobQuery.ofType("type-100").state(JobState.SUCCEEDED).limit(50);
        String second = jobs.find(ended).next().orElseThrow();
        String id = jobs.find(ended).jobs().get(0).id();
        return List.of(
                "/",
                "/queues",
                "/queues?after=queue-00500",
                "/queues/queue-00042",
                "/dead-letters",
                "/jobs",
                "/jobs?type=type-100",
                "/jobs?type=type-100&state=succeeded&after=" + second,
                "/jobs/" + id,
                "/schedules",
                "/batches",
                "/runners");
    }

    /** The stream that the script of a page reads; empty if there is none. */
    private static String streamOf(String page) {
        if (page.equals("/")) {
            return EVENTS;
        }
        if (page.startsWith("/queues/")) {
            return EVENTS + "?queue=" + page.substring("/queues/".length());
        }
        if (page.startsWith("/jobs/")) {
            return EVENTS + "?job=" + page.substring("/jobs/".length());
        }
        return page.startsWith("/jobs?type=") ? EVENTS + "?type=type-100" : "";
    }

    private static double p99Millis(Dashboard dashboard, String path) throws IOException {
        Histogram times = new Histogram(3);
        for (int i = 0; i < REQUESTS; i++) {
            long begin = System.nanoTime();
            int status = new MemoryExchange(path).answeredBy(dashboard);
            times.recordValue(System.nanoTime() - begin);
            if (status != 200) {
                throw new IllegalStateException(path + " was answered " + status);
            }
        }
        return times.getValueAtPercentile(99) / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }
}
