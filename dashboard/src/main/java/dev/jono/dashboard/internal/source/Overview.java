package dev.jono.dashboard.internal.source;

import dev.jono.JonoClock;
import dev.jono.jobs.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a whole storage. Each look reads the queues of one part of the storage, at most a hundred, and adds what earlier looks
 * have read of the others: so the numbers of a storage with many queues are some looks old. Keeps the numbers of the last minutes. Not
 * thread-safe: its caller allows one look at a time.
 */
public final class Overview {
    private static final int PART = 100;
    private static final int MAX_POINTS = 300;

    private record Known(QueueSample sample, double in, double out) {}

    private final Source source;
    private final JonoClock clock;
    private final Map<String, Known> known = new HashMap<>();
    private final Deque<Point> points = new ArrayDeque<>();
    private String after = "";

    Overview(Source source, JonoClock clock) {
        this.source = source;
        this.clock = clock;
    }

    /**
     * The rates and numbers at one time.
     *
     * @param in messages pushed per second
     * @param out messages popped or acked per second
     */
    public record Point(Instant at, double in, double out, long ready, long reserved) {}

    /**
     * The numbers of a storage.
     *
     * @param queues how many queues there are, those of jobs included
     * @param types how many types of jobs
     * @param partly whether the numbers of some queues are older than those of the others
     * @param failed failed jobs
     * @param oldestReadyAge how long the oldest due message has waited; null if there is none
     * @param history the last minutes, while somebody has looked
     */
    public record View(
            int queues,
            int types,
            boolean partly,
            long ready,
            long scheduled,
            long reserved,
            long blocked,
            long failed,
            double in,
            double out,
            @Nullable Duration oldestReadyAge,
            List<Point> history) {}

    View look() {
        Names names = source.names();
        TreeSet<String> all = new TreeSet<>(names.queues());
        all.addAll(names.lanes());
        known.keySet().retainAll(all);
        for (String queue : part(all)) {
            add(source.sample(queue));
        }
        long ready = sum(QueueSample::ready);
        long reserved = sum(QueueSample::reserved);
        Point point = new Point(
                Instant.ofEpochMilli(clock.wallMillis()),
                known.values().stream().mapToDouble(Known::in).sum(),
                known.values().stream().mapToDouble(Known::out).sum(),
                ready,
                reserved);
        points.add(point);
        while (points.size() > MAX_POINTS) {
            points.remove();
        }
        return new View(
                all.size(),
                names.types().size(),
                all.size() > PART,
                ready,
                sum(QueueSample::scheduled),
                reserved,
                sum(QueueSample::blocked),
                failed(),
                point.in,
                point.out,
                oldest(),
                new ArrayList<>(points));
    }

    private List<String> part(NavigableSet<String> all) {
        List<String> part = new ArrayList<>();
        Iterator<String> behind = all.tailSet(after, false).iterator();
        while (behind.hasNext() && part.size() < PART) {
            part.add(behind.next());
        }
        after = behind.hasNext() ? part.get(part.size() - 1) : "";
        return part;
    }

    private void add(QueueSample now) {
        Known before = known.get(now.queue());
        double seconds = before == null
                ? 0
                : Duration.between(before.sample.at(), now.at()).toMillis() / 1000.0;
        if (before == null || seconds <= 0) {
            known.putIfAbsent(now.queue(), new Known(now, 0, 0));
            return;
        }
        known.put(
                now.queue(),
                new Known(
                        now,
                        Math.max(0, now.pushed() - before.sample.pushed()) / seconds,
                        Math.max(0, now.consumed() - before.sample.consumed()) / seconds));
    }

    private long sum(ToLongFunction<QueueSample> number) {
        return known.values().stream().map(Known::sample).mapToLong(number).sum();
    }

    private @Nullable Duration oldest() {
        return known.values().stream()
                .map(each -> each.sample().oldestReadyAge())
                .filter(Objects::nonNull)
                .max(Duration::compareTo)
                .orElse(null);
    }

    private long failed() {
        if (source.findJobs().isEmpty()) {
            return 0;
        }
        return source.counts().values().stream()
                .mapToLong(counts -> counts.getOrDefault(JobState.FAILED, 0L))
                .sum();
    }
}
