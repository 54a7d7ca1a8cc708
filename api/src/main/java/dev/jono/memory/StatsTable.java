package dev.jono.memory;

import dev.jono.spi.Counter;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The counters and the paused flags of all queues. Thread-safe. */
final class StatsTable {
    private final ConcurrentHashMap<Topic, Row> rows = new ConcurrentHashMap<>();

    void add(Topic topic, Map<Counter, Long> deltas) {
        Row row = row(topic);
        deltas.forEach((counter, delta) -> row.counts.merge(counter, delta, Long::sum));
    }

    /** The counters that were changed since the last clear. */
    Map<Counter, Long> read(Topic topic) {
        Row row = rows.get(topic);
        return row == null ? Map.of() : Map.copyOf(row.counts);
    }

    void clear(Topic topic) {
        Row row = rows.get(topic);
        if (row != null) {
            row.counts.clear();
        }
    }

    boolean paused(Topic topic) {
        Row row = rows.get(topic);
        return row != null && row.paused;
    }

    void setPaused(Topic topic, boolean paused) {
        row(topic).paused = paused;
    }

    /** Forgets a queue; returns whether it was paused. */
    boolean delete(Topic topic) {
        Row row = rows.remove(topic);
        return row != null && row.paused;
    }

    /** The queues of a namespace that have counters or are paused. */
    Set<String> queues(String namespace) {
        return rows.entrySet().stream()
                .filter(e -> e.getKey().namespace().equals(namespace))
                .filter(e -> e.getValue().paused || !e.getValue().counts.isEmpty())
                .map(e -> e.getKey().queue())
                .collect(Collectors.toUnmodifiableSet());
    }

    private Row row(Topic topic) {
        return rows.computeIfAbsent(topic, t -> new Row());
    }

    private static final class Row {
        final ConcurrentHashMap<Counter, Long> counts = new ConcurrentHashMap<>();
        volatile boolean paused;
    }
}
