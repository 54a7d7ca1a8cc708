package dev.jono.outbox;

import dev.jono.Backoff;
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

    private final Backoff delays;
    private final Map<String, Failures> byQueue = new HashMap<>();

    private record Failures(int inARow, long endNanos) {}

    Backoffs(Duration pollInterval) {
        Duration longest = pollInterval.compareTo(LONGEST) > 0 ? pollInterval : LONGEST;
        this.delays = Backoff.exponential(pollInterval, 2, longest, 0);
    }

    /** The delay after that many failures in a row, at least one. */
    Duration delay(int failures) {
        return delays.delay(failures);
    }

    void failed(String queue, long nanos) {
        Failures last = byQueue.get(queue);
        int inARow = last == null ? 1 : last.inARow + 1;
        byQueue.put(queue, new Failures(inARow, nanos + delay(inARow).toNanos()));
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
