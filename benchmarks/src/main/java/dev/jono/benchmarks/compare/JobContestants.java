package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.QueueClient.Step;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The list of the contestants that enqueue and run jobs. Each keeps the records of succeeded jobs as it does by default. */
final class JobContestants {
    /** Ten times as many as jobs that run at once. */
    private static final String KEYS = "640";

    private static final String JONO =
            "enqueueAll of 100 by 4 callers, a runner with concurrency 64; succeeded jobs kept 24 h";

    private JobContestants() {}

    static List<Contestant> all() {
        return List.of(
                jono("redis-oq", "redis-oq", Storage.REDIS, Map.of(), JONO),
                bullmq(
                        "jobs-bullmq-keep",
                        "BullMQ, default: keeps all jobs",
                        Map.of("keep", "all"),
                        "succeeded jobs kept for ever"),
                bullmq("jobs-bullmq", "BullMQ, removeOnComplete", Map.of(), "succeeded jobs removed"),
                contestant(
                        "jobs-kue",
                        "Kue",
                        Storage.REDIS,
                        "kue",
                        Map.of(),
                        "jobs-redis-oq",
                        "64 calls of save at once, 64 workers of one process; succeeded jobs kept for ever"),
                jono(
                        "redis-oq-keyed",
                        "redis-oq",
                        Storage.REDIS,
                        Map.of("keys", KEYS),
                        JONO + "; " + KEYS + " ordering keys"),
                contestant(
                        "jobs-queue-farm",
                        "queue-farm",
                        Storage.REDIS,
                        "queue-farm",
                        Map.of("keys", KEYS),
                        "jobs-redis-oq-keyed",
                        "64 calls of push at once, a worker with 64 handlers, " + KEYS
                                + " queues, each a strict order; jobs deleted when they have ended"),
                jono("mongo", "mongo", Storage.MONGO, Map.of(), JONO),
                contestant(
                        "jobs-jobrunr-mongo",
                        "JobRunr",
                        Storage.MONGO,
                        "jobrunr",
                        Map.of(),
                        "jobs-mongo",
                        "enqueue of a stream, 64 workers; succeeded jobs kept 36 h"),
                jono("postgres", "postgres", Storage.POSTGRES, Map.of(), JONO),
                contestant(
                        "jobs-db-scheduler-postgres",
                        "db-scheduler",
                        Storage.POSTGRES,
                        "db-scheduler",
                        Map.of(),
                        "jobs-postgres",
                        "scheduleBatch of 100, 16 threads, lock-and-fetch, a poll every 50 ms; keeps no succeeded jobs"),
                contestant(
                        "jobs-jobrunr-postgres",
                        "JobRunr",
                        Storage.POSTGRES,
                        "jobrunr",
                        Map.of(),
                        "jobs-postgres",
                        "enqueue of a stream, 64 workers; succeeded jobs kept 36 h"),
                jono("sqlite", "sqlite", Storage.SQLITE, Map.of(), JONO),
                contestant(
                        "jobs-db-scheduler",
                        "db-scheduler",
                        Storage.SQLITE,
                        "db-scheduler",
                        Map.of(),
                        "jobs-sqlite",
                        "scheduleBatch of 100, 4 threads, a poll every 50 ms; keeps no succeeded jobs"),
                contestant(
                        "jobs-jobrunr-sqlite",
                        "JobRunr",
                        Storage.SQLITE,
                        "jobrunr",
                        Map.of(),
                        "jobs-sqlite",
                        "enqueue of a stream, 64 workers; succeeded jobs kept 36 h"));
    }

    private static Contestant jono(
            String id, String backend, Storage storage, Map<String, String> settings, String best) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("backend", backend);
        return contestant(
                "jobs-" + id, "Jono jobs, " + id.replace("-keyed", ", keyed"), storage, "jono-jobs", all, "", best);
    }

    private static Contestant bullmq(String id, String name, Map<String, String> settings, String records) {
        String best = "addBulk of 100 by 4 callers, a worker with concurrency 64; " + records;
        return contestant(id, name, Storage.REDIS, "bullmq", settings, "jobs-redis-oq", best);
    }

    private static Contestant contestant(
            String id,
            String name,
            Storage storage,
            String driver,
            Map<String, String> settings,
            String counterpart,
            String best) {
        return new Contestant(id, name, storage, driver, settings, Set.of(Step.RESERVE_ACK), false, counterpart, best)
                .forJobs();
    }
}
