package dev.jono.benchmarks.compare;

import static dev.jono.benchmarks.QueueClient.Step.POP;
import static dev.jono.benchmarks.QueueClient.Step.RESERVE_ACK;

import dev.jono.BackendInfo;
import dev.jono.QueueFactory;
import dev.jono.benchmarks.QueueClient.Step;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The list of all contestants. */
final class Contestants {
    private static final Set<Step> BOTH = Set.of(RESERVE_ACK, POP);
    private static final Set<Step> RESERVE = Set.of(RESERVE_ACK);
    private static final Set<Step> POPS = Set.of(POP);
    private static final Set<String> BACKENDS =
            QueueFactory.backends().stream().map(BackendInfo::type).collect(Collectors.toSet());
    private static final String RABBIT = "1,000 unconfirmed, prefetch 1,000, an ack for up to 100";

    /**
     * The contestants of a quick run: few, because each JVM compiles for about five seconds before its figures mean
     * anything.
     */
    private static final Set<String> QUICK = Set.of(
            "redis-oq",
            "bullmq",
            "redisson-calls",
            "rabbitmq",
            "bucket-mongo-safe",
            "sqlite",
            "beanstalkd-fsync",
            "db-scheduler");

    private Contestants() {}

    /** Returns whether a quick run without {@code --only} includes this contestant. */
    static boolean quick(Contestant contestant) {
        return QUICK.contains(contestant.id());
    }

    /** Returns all contestants in the order of the tables, except backends of Jono that are not on the class path. */
    static List<Contestant> all() {
        return Stream.of(onRedis(), onRedisAlways(), onMongo(), onPostgres(), embedded(), JobContestants.all())
                .flatMap(List::stream)
                .filter(contestant -> !contestant.ours()
                        || BACKENDS.contains(contestant.settings().get("backend")))
                .toList();
    }

    private static List<Contestant> onRedis() {
        return List.of(
                jono("redis-oq", Storage.REDIS, BOTH, 100, 4),
                keuss("redis-oq", Storage.REDIS, BOTH),
                new Contestant(
                        "bullmq",
                        "BullMQ",
                        Storage.REDIS,
                        "bullmq",
                        Map.of(),
                        RESERVE,
                        true,
                        "redis-oq",
                        "addBulk of 100 by 4 callers, a worker with concurrency 100"),
                redisson(
                        "redisson",
                        "Redisson RBlockingQueue",
                        Map.of(),
                        "batches of 100 by 4 callers, poll(100); reserve+ack is a move to a list and a removal from there"),
                redisson(
                                "redisson-calls",
                                "Redisson RBlockingQueue, single calls",
                                Map.of("calls", "64"),
                                "64 calls for one message each in flight, as an application makes them")
                        .asVariant(),
                jono("redis-list", Storage.REDIS, POPS, 100, 4),
                keuss("redis-list", Storage.REDIS, POPS),
                bare("redis", Storage.REDIS, "redis-oq", "one script per step on Lettuce, lists of 100 by 5 callers"));
    }

    /** Jono on a Redis that is as durable as RabbitMQ, and RabbitMQ. */
    private static List<Contestant> onRedisAlways() {
        Contestant everysec = jono("redis-oq", Storage.REDIS, BOTH, 100, 4);
        Contestant always = new Contestant(
                "redis-oq-always",
                everysec.name(),
                Storage.REDIS_ALWAYS,
                everysec.driver(),
                everysec.settings(),
                everysec.steps(),
                true,
                "",
                everysec.best());
        return List.of(
                always,
                rabbitmq("rabbitmq", "RabbitMQ", Storage.RABBITMQ, Map.of()),
                rabbitmq("rabbitmq-quorum", "RabbitMQ, quorum queue", Storage.RABBITMQ_QUORUM, Map.of("type", "quorum"))
                        .asVariant());
    }

    private static List<Contestant> onMongo() {
        return List.of(
                jono("mongo", Storage.MONGO, BOTH, 500, 4),
                jono("pl-mongo", Storage.MONGO, BOTH, 500, 4),
                jono("bucket-mongo-safe", Storage.MONGO, BOTH, 1000, 4),
                jono("bucket-mongo", Storage.MONGO, POPS, 1000, 4),
                keuss("mongo", Storage.MONGO, BOTH),
                keuss("pl-mongo", Storage.MONGO, BOTH),
                keuss("bucket-mongo-safe", Storage.MONGO, BOTH)
                        .surviving("all but what its process has not yet written"),
                new Contestant(
                        "jobrunr",
                        "JobRunr",
                        Storage.MONGO,
                        "jobrunr",
                        Map.of(),
                        RESERVE,
                        true,
                        "mongo",
                        "enqueue of a stream, its own choice of workers, a poll every 5 s, which is its minimum"),
                bare(
                        "mongo",
                        Storage.MONGO,
                        "mongo",
                        "lists of 500: pushed by 4 callers; find, mark, read, delete by one caller"));
    }

    private static List<Contestant> onPostgres() {
        return List.of(
                jono("postgres", Storage.POSTGRES, BOTH, 500, 4),
                onPostgres(
                        "graphile-worker",
                        "Graphile Worker",
                        "graphile-worker",
                        "addJobs of 100 by 4 callers, a local queue of 500, 24 jobs at once, completions in batches"),
                onPostgres(
                        "db-scheduler-postgres",
                        "db-scheduler",
                        "db-scheduler",
                        "scheduleBatch of 100, 16 threads, lock-and-fetch, a poll every 50 ms"),
                onPostgres(
                        "jobrunr-postgres",
                        "JobRunr",
                        "jobrunr",
                        "enqueue of a stream, its own choice of workers, a poll every 5 s, which is its minimum"));
    }

    private static Contestant onPostgres(String id, String name, String driver, String best) {
        return new Contestant(id, name, Storage.POSTGRES, driver, Map.of(), RESERVE, true, "postgres", best);
    }

    /** Contestants on a file or in memory, and beanstalkd, which is compared with the file. */
    private static List<Contestant> embedded() {
        return List.of(
                jono("sqlite", Storage.SQLITE, BOTH, 1000, 1),
                new Contestant(
                        "db-scheduler",
                        "db-scheduler",
                        Storage.SQLITE,
                        "db-scheduler",
                        Map.of(),
                        RESERVE,
                        true,
                        "sqlite",
                        "scheduleBatch of 100, 4 threads, a poll every 50 ms"),
                bare("sqlite", Storage.SQLITE, "sqlite", "JDBC, 1,000 messages per transaction"),
                beanstalkd("beanstalkd-fsync", Storage.BEANSTALKD_FSYNC, "sqlite"),
                beanstalkd("beanstalkd", Storage.BEANSTALKD, ""),
                jono("memory", Storage.MEMORY, BOTH, 1000, 1),
                new Contestant(
                        "juc",
                        "LinkedBlockingQueue",
                        Storage.MEMORY,
                        "juc",
                        Map.of(),
                        POPS,
                        false,
                        "memory",
                        "drainTo of 1,000"));
    }

    /** A backend of Jono, driven at its best with lists of this length by this many callers. */
    private static Contestant jono(String backend, Storage storage, Set<Step> steps, int list, int callers) {
        return new Contestant(
                backend,
                "Jono " + backend,
                storage,
                "jono",
                Map.of(
                        "backend", backend,
                        "list", Integer.toString(list),
                        "callers", Integer.toString(callers)),
                steps,
                storage != Storage.MEMORY,
                "",
                "lists of " + String.format("%,d", list) + " by " + callers + (callers == 1 ? " caller" : " callers"));
    }

    private static Contestant keuss(String backend, Storage storage, Set<Step> steps) {
        return new Contestant(
                "keuss-" + backend,
                "keuss " + backend,
                storage,
                "keuss",
                Map.of("backend", backend),
                steps,
                true,
                backend,
                "64 calls in flight");
    }

    private static Contestant redisson(String id, String name, Map<String, String> settings, String best) {
        return new Contestant(id, name, Storage.REDIS, "redisson", settings, BOTH, true, "redis-oq", best);
    }

    private static Contestant rabbitmq(String id, String name, Storage storage, Map<String, String> settings) {
        return new Contestant(id, name, storage, "rabbitmq", settings, BOTH, true, "redis-oq-always", RABBIT);
    }

    private static Contestant bare(String on, Storage storage, String counterpart, String best) {
        return new Contestant(
                "bare-" + on, "bare loop", storage, "bare", Map.of("on", on), RESERVE, false, counterpart, best);
    }

    private static Contestant beanstalkd(String id, Storage storage, String counterpart) {
        return new Contestant(
                id,
                "beanstalkd",
                storage,
                "beanstalkd",
                Map.of(),
                RESERVE,
                true,
                counterpart,
                "100 commands pipelined");
    }
}
