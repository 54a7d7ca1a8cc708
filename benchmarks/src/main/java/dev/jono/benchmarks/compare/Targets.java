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
            new Faster("sqlite", "beanstalkd-fsync", 1),
            new Faster("sqlite", "db-scheduler", 5));

    private Targets() {}

    /** The flow of {@code ours} should be at least this many times as fast as that of {@code theirs}. */
    private record Faster(String ours, String theirs, double atLeast) {}

    /** One target and its figure; in the result files, the condition is {@code demanded}. */
    record Target(String what, String condition, double measured, boolean met) {
        Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("what", what);
            json.put("demanded", condition);
            json.put("measured", measured);
            json.put("met", met);
            return json;
        }
    }

    /** Returns the targets whose contestants are in these cells. */
    static List<Target> of(List<Cell> cells) {
        List<Target> all = new ArrayList<>();
        FLOWS.forEach(flow -> faster(all, cells, flow));
        latency(all, cells);
        return all;
    }

    private static Optional<Cell> find(List<Cell> cells, String contestant, String work) {
        return cells.stream()
                .filter(cell -> cell.contestant.id().equals(contestant) && cell.work.equals(work))
                .findFirst();
    }

    private static Optional<Double> rate(List<Cell> cells, String contestant, String work) {
        return find(cells, contestant, work)
                .flatMap(cell -> cell.spread("perSecond"))
                .map(Spread::median);
    }

    private static void faster(List<Target> all, List<Cell> cells, Faster flow) {
        Optional<Double> ours = rate(cells, flow.ours, FLOW);
        Optional<Double> theirs = rate(cells, flow.theirs, FLOW);
        if (ours.isPresent() && theirs.isPresent()) {
            double ratio = ours.get() / theirs.get();
            all.add(new Target(
                    flow.ours + ", " + FLOW + " / " + flow.theirs + ", " + FLOW,
                    "at least " + flow.atLeast,
                    ratio,
                    ratio >= flow.atLeast));
        }
    }

    private static void latency(List<Target> all, List<Cell> cells) {
        Optional<Double> our = find(cells, "redis-oq", "paced-1000").flatMap(cell -> cell.delayMillis(99));
        Optional<Double> broker = find(cells, "rabbitmq", "paced-1000").flatMap(cell -> cell.delayMillis(99));
        if (our.isPresent()) {
            double allowed = Math.max(5, broker.map(p99 -> 1.5 * p99).orElse(5.0));
            all.add(new Target(
                    "redis-oq, p99 in ms at 1,000 messages/s",
                    "at most 5, or 1.5 times RabbitMQ's",
                    our.get(),
                    our.get() <= allowed));
        }
    }
}
