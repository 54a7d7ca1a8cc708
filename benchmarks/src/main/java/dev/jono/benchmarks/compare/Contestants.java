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

/** Who takes part. */
final class Contestants {
    private static final Set<Step> BOTH = Set.of(RESERVE_ACK, POP);
    private static final Set<Step> RESERVE = Set.of(RESERVE_ACK);
    private static final Set<Step> POPS = Set.of(POP);
    private static final Set<String> BACKENDS =
            QueueFactory.backends().stream().map(BackendInfo::type).collect(Collectors.toSet());
    private static final String KEUSS = "64 calls in flight";
    private static final String RABBIT = "1,000 unconfirmed, prefetch 1,000, an ack for up to 100";

    /** Few, for each JVM compiles for five seconds, and a cold one tells nothing. */
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

    /** Whether somebody is in a quick run for which nobody is named. */
    static boolean quick(Contestant who) {
        return QUICK.contains(who.id());
    }

    /** All, in the order of the tables. */
    static List<Contestant> all() {
        return Stream.of(
                        jono("redis-oq", Storage.REDIS, BOTH, 100, 4, 4),
                        keuss("redis-oq", Storage.REDIS, BOTH),
                        node("bullmq", "BullMQ", "addBulk of 100 by 4 callers, a worker with concurrency 100"),
                        new Contestant(
                                "redisson",
                                "Redisson RBlockingQueue",
                                Storage.REDIS,
                                "redisson",
                                Map.of(),
                                BOTH,
                                true,
                                "redis-oq",
                                "batches of 100 by 4 callers, poll(100); reserve+ack is a move to a list and a removal from there"),
                        new Contestant(
                                        "redisson-calls",
                                        "Redisson RBlockingQueue, single calls",
                                        Storage.REDIS,
                                        "redisson",
                                        Map.of("calls", "64"),
                                        BOTH,
                                        true,
                                        "redis-oq",
                                        "64 calls for one message each in flight, as an application makes them")
                                .asVariant(),
                        jono("redis-list", Storage.REDIS, POPS, 100, 4, 4),
                        keuss("redis-list", Storage.REDIS, POPS),
                        bare(
                                "redis",
                                Storage.REDIS,
                                "redis-oq",
                                "a script a step on Lettuce, lists of 100 by 5 callers"),
                        always(),
                        new Contestant(
                                "rabbitmq",
                                "RabbitMQ",
                                Storage.RABBITMQ,
                                "rabbitmq",
                                Map.of(),
                                BOTH,
                                true,
                                "redis-oq-always",
                                RABBIT),
                        new Contestant(
                                        "rabbitmq-quorum",
                                        "RabbitMQ, quorum queue",
                                        Storage.RABBITMQ_QUORUM,
                                        "rabbitmq",
                                        Map.of("type", "quorum"),
                                        BOTH,
                                        true,
                                        "redis-oq-always",
                                        RABBIT)
                                .asVariant(),
                        jono("mongo", Storage.MONGO, BOTH, 500, 4, 4),
                        jono("pl-mongo", Storage.MONGO, BOTH, 500, 4, 4),
                        jono("bucket-mongo-safe", Storage.MONGO, BOTH, 1000, 4, 4),
                        jono("bucket-mongo", Storage.MONGO, POPS, 1000, 4, 4),
                        keuss("mongo", Storage.MONGO, BOTH),
                        keuss("pl-mongo", Storage.MONGO, BOTH),
                        keuss("bucket-mongo-safe", Storage.MONGO, BOTH)
                                .losing("all but what its process has not yet written"),
                        new Contestant(
                                "jobrunr",
                                "JobRunr",
                                Storage.MONGO,
                                "jobrunr",
                                Map.of(),
                                RESERVE,
                                true,
                                "mongo",
                                "enqueue of a stream, its own choice of workers, polls each 5 s, its least"),
                        bare(
                                "mongo",
                                Storage.MONGO,
                                "mongo",
                                "lists of 500: pushed by 4 callers; find, mark, read, delete by one"),
                        jono("sqlite", Storage.SQLITE, BOTH, 1000, 1, 1),
                        new Contestant(
                                "db-scheduler",
                                "db-scheduler",
                                Storage.SQLITE,
                                "db-scheduler",
                                Map.of(),
                                RESERVE,
                                true,
                                "sqlite",
                                "scheduleBatch of 100, 4 threads, polls each 50 ms"),
                        bare("sqlite", Storage.SQLITE, "sqlite", "JDBC, 1,000 a transaction"),
                        beanstalkd("beanstalkd-fsync", Storage.BEANSTALKD_FSYNC, "sqlite"),
                        beanstalkd("beanstalkd", Storage.BEANSTALKD, ""),
                        jono("memory", Storage.MEMORY, BOTH, 1000, 1, 1),
                        new Contestant(
                                "juc",
                                "LinkedBlockingQueue",
                                Storage.MEMORY,
                                "juc",
                                Map.of(),
                                POPS,
                                false,
                                "memory",
                                "drainTo of 1,000"))
                .filter(who -> !who.ours() || BACKENDS.contains(who.settings().get("backend")))
                .toList();
    }

    /** A backend of ours, by its URL. */
    private static Contestant jono(
            String backend, Storage storage, Set<Step> steps, int list, int pushers, int takers) {
        return new Contestant(
                backend,
                "Jono " + backend,
                storage,
                "jono",
                Map.of(
                        "backend", backend,
                        "list", Integer.toString(list),
                        "pushers", Integer.toString(pushers),
                        "takers", Integer.toString(takers)),
                steps,
                storage != Storage.MEMORY,
                "",
                "lists of " + String.format("%,d", list) + " by " + pushers + (pushers == 1 ? " caller" : " callers"));
    }

    private static Contestant always() {
        Contestant same = jono("redis-oq", Storage.REDIS_ALWAYS, BOTH, 100, 4, 4);
        return new Contestant(
                "redis-oq-always",
                "Jono redis-oq",
                same.storage(),
                same.driver(),
                same.settings(),
                same.steps(),
                true,
                "",
                same.best());
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
                KEUSS);
    }

    private static Contestant node(String id, String name, String best) {
        return new Contestant(id, name, Storage.REDIS, id, Map.of(), RESERVE, true, "redis-oq", best);
    }

    private static Contestant bare(String on, Storage storage, String against, String best) {
        return new Contestant(
                "bare-" + on, "bare loop", storage, "bare", Map.of("on", on), RESERVE, false, against, best);
    }

    private static Contestant beanstalkd(String id, Storage storage, String against) {
        return new Contestant(
                id, "beanstalkd", storage, "beanstalkd", Map.of(), RESERVE, true, against, "100 commands pipelined");
    }
}
