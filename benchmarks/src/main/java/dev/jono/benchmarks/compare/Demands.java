package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What Jono is to reach beside the others. */
final class Demands {
    private Demands() {}

    /** One of them, where both sides ran. */
    record Demand(String what, String demanded, double measured, boolean met) {
        Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("what", what);
            json.put("demanded", demanded);
            json.put("measured", measured);
            json.put("met", met);
            return json;
        }
    }

    /** All that these cells tell about. */
    static List<Demand> of(List<Cell> cells) {
        List<Demand> all = new ArrayList<>();
        faster(all, cells, "redis-oq", "flow-1", "bullmq", "flow-1", 5);
        faster(all, cells, "redis-oq", "flow-1", "redisson-calls", "flow-1", 5);
        faster(all, cells, "redis-oq", "flow-1", "redisson", "flow-1", 5);
        faster(all, cells, "redis-oq", "flow-1", "rabbitmq", "flow-1", 1);
        faster(all, cells, "redis-oq-always", "flow-1", "rabbitmq", "flow-1", 1);
        faster(all, cells, "bucket-mongo-safe", "flow-1", "rabbitmq", "flow-1", 1);
        faster(all, cells, "sqlite", "flow-1", "beanstalkd-fsync", "flow-1", 1);
        faster(all, cells, "sqlite", "flow-1", "db-scheduler", "flow-1", 5);
        latency(all, cells);
        return all;
    }

    private static Optional<Cell> find(List<Cell> cells, String who, String work) {
        return cells.stream()
                .filter(cell -> cell.who.id().equals(who) && cell.work.equals(work))
                .findFirst();
    }

    private static Optional<Double> rate(List<Cell> cells, String who, String work) {
        return find(cells, who, work).flatMap(cell -> cell.spread("perSecond")).map(Spread::median);
    }

    private static void faster(
            List<Demand> all, List<Cell> cells, String ours, String at, String theirs, String their, double atLeast) {
        Optional<Double> our = rate(cells, ours, at);
        Optional<Double> other = rate(cells, theirs, their);
        if (our.isPresent() && other.isPresent()) {
            double ratio = our.get() / other.get();
            all.add(new Demand(
                    ours + ", " + at + " / " + theirs + ", " + their, "at least " + atLeast, ratio, ratio >= atLeast));
        }
    }

    private static void latency(List<Demand> all, List<Cell> cells) {
        Optional<Double> our = find(cells, "redis-oq", "paced-1000").flatMap(cell -> cell.delayMillis(99));
        Optional<Double> broker = find(cells, "rabbitmq", "paced-1000").flatMap(cell -> cell.delayMillis(99));
        if (our.isPresent()) {
            double allowed = Math.max(5, broker.map(p99 -> 1.5 * p99).orElse(5.0));
            all.add(new Demand(
                    "redis-oq, p99 in ms at 1,000 messages/s",
                    "at most 5, or 1.5 times RabbitMQ's",
                    our.get(),
                    our.get() <= allowed));
        }
    }
}
