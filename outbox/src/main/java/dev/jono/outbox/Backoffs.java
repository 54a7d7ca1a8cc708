package dev.jono.outbox;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The queues whose last pushes failed, and when each is tried again: after the poll interval, and then each time after twice as
 * long, up to 30 s or a longer poll interval. Used by one thread.
 */
final class Backoffs {
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final Duration first;
    private final Duration longest;
    private final Map<String, Backoff> byQueue = new HashMap<>();

    private record Backoff(Duration delay, long endNanos) {}

    Backoffs(Duration pollInterval) {
        this.first = pollInterval;
        this.longest = pollInterval.compareTo(LONGEST) > 0 ? pollInterval : LONGEST;
    }

    /** The delay after another failure; zero is that before the first. */
    Duration next(Duration last) {
        Duration next = last.isZero() ? first : last.multipliedBy(2);
        return next.compareTo(longest) < 0 ? next : longest;
    }

    void failed(String queue, long nanos) {
        Backoff last = byQueue.get(queue);
        Duration delay = next(last == null ? Duration.ZERO : last.delay);
        byQueue.put(queue, new Backoff(delay, nanos + delay.toNanos()));
    }

    void worked(String queue) {
        byQueue.remove(queue);
    }

    /** The queues that are not to be tried now. */
    Set<String> waiting(long nanos) {
        return byQueue.entrySet().stream()
                .filter(each -> each.getValue().endNanos - nanos > 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }
}
