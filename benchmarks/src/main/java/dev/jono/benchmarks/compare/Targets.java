package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The project's targets for Jono compared with other libraries, and whether a run reaches them. */
final class Targets {
    private static final String FLOW = "flow-1";
    private static final List<Faster> FLOWS = List.of(
            new Faster("redis-oq", "bullmq", 5),
            new Faster("redis-oq", "redisson-calls", 5),
            new Faster("redis-oq", "redisson", 5),
            new Faster("redis-oq", "rabbitmq", 1),
            new Faster("redis-oq-always", "rabbitmq", 1),
            new Faster("bucket-mongo-safe", "rabbitmq", 1),
            new Faster("postgres", "graphile-worker", 1.5),
            new Faster("sqlite", "beanstalkd-fsync", 1),
            new Faster("sqlite", "db-scheduler", 5));
    private static final String JOBS = "jobs";
    private static final List<Faster> JOB_TARGETS = List.of(
            new Faster("jobs-redis-oq", "jobs-bullmq-keep", 5),
            new Faster("jobs-redis-oq", "jobs-bullmq", 4),
            new Faster("jobs-sqlite", "jobs-db-scheduler", 30),
            new Faster("jobs-sqlite", "jobs-jobrunr-sqlite", 50),
            new Faster("jobs-postgres", "jobs-db-scheduler-postgres", 10),
            new Faster("jobs-postgres", "jobs-jobrunr-postgres", 10),
            new Faster("jobs-mongo", "jobs-jobrunr-mongo", 5),
            new Faster("jobs-redis-oq-keyed", "jobs-queue-farm", 20));

    private Targets() {}

    /** A work of {@code ours} should be at least this many times as fast as that of {@code theirs}. */
    private record Faster(String ours, String theirs, double atLeast) {}

    /**
     * One target and its figure: the median of some rounds, or one figure of all. In the result files, the condition is {@code
     * demanded}.
     */
    record Target(String what, String condition, Spread measured, boolean met) {
        Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("what", what);
            json.put("demanded", condition);
            json.put("measured", measured.median());
            json.put("rounds", measured.rounds());
            json.put("met", met);
            return json;
        }
    }

    /** Returns the targets whose contestants are in these cells. */
    static List<Target> of(List<Cell> cells) {
        List<Target> all = new ArrayList<>();
        FLOWS.forEach(flow -> faster(all, cells, flow, FLOW));
        JOB_TARGETS.forEach(jobs -> faster(all, cells, jobs, JOBS));
        latency(all, cells);
        return all;
    }

    private static Optional<Cell> find(List<Cell> cells, String contestant, String work) {
        return cells.stream()
                .filter(cell -> cell.contestant.id().equals(contestant) && cell.work.equals(work))
                .findFirst();
    }

    private static void faster(List<Target> all, List<Cell> cells, Faster faster, String work) {
        find(cells, faster.ours, work)
                .flatMap(ours -> find(cells, faster.theirs, work).flatMap(ours::ratio))
                .ifPresent(ratio -> all.add(new Target(
                        faster.ours + ", " + work + " / " + faster.theirs + ", " + work,
                        "at least " + faster.atLeast,
                        ratio,
                        ratio.median() >= faster.atLeast)));
    }

    private static void latency(List<Target> all, List<Cell> cells) {
        Optional<Double> our = find(cells, "redis-oq", "paced-1000").flatMap(cell -> cell.delayMillis(99));
        Optional<Double> broker = find(cells, "rabbitmq", "paced-1000").flatMap(cell -> cell.delayMillis(99));
        if (our.isPresent()) {
            double allowed = Math.max(5, broker.map(p99 -> 1.5 * p99).orElse(5.0));
            all.add(new Target(
                    "redis-oq, p99 in ms at 1,000 messages/s",
                    "at most 5, or 1.5 times RabbitMQ's",
                    Spread.of(List.of(our.get())),
                    our.get() <= allowed));
        }
    }
}
