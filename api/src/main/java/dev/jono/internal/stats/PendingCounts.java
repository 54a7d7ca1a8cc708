package dev.jono.internal.stats;

import dev.jono.spi.Counter;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** Counts of one queue that are not in the stats store yet. Called on any thread. Thread-safe. */
public final class PendingCounts {
    /** Counters that show that a deleted queue is used again. The others count ends of earlier deliveries. */
    private static final Set<Counter> USES = EnumSet.of(Counter.PUSHED, Counter.POPPED, Counter.RESERVED);

    private final Map<Counter, LongAdder> pending = new EnumMap<>(Counter.class);
    private final StatsHub hub;
    private final String queue;

    /**
     * Whether the queue was deleted and has not been used since. An ack that was in flight then, for example, is not counted: it
     * would create the queue in the stats again.
     */
    private volatile boolean deleted;

    public PendingCounts(StatsHub hub, String queue) {
        this.hub = hub;
        this.queue = queue;
        for (Counter counter : Counter.values()) {
            pending.put(counter, new LongAdder());
        }
    }

    public void pushed(long count) {
        add(Counter.PUSHED, count);
    }

    public void add(Counter counter, long count) {
        if (count > 0 && counts(counter)) {
            plus(counter, count);
            hub.dirty(this);
            hub.listeners().counted(queue, counter, count);
        }
    }

    /** Undoes an {@link #add}, except for listeners: their counts do not fall. */
    public void uncount(Counter counter, long count) {
        if (count > 0 && !deleted) {
            plus(counter, -count);
            hub.dirty(this);
        }
    }

    private boolean counts(Counter counter) {
        if (deleted && USES.contains(counter)) {
            deleted = false;
        }
        return !deleted;
    }

    /** The queue was deleted: drops the pending counts. */
    void queueDeleted() {
        deleted = true;
        removeAll();
    }

    private void plus(Counter counter, long count) {
        Objects.requireNonNull(pending.get(counter)).add(count);
    }

    String queue() {
        return queue;
    }

    /** Removes and returns the pending counts; those of a deleted queue are dropped. */
    Map<Counter, Long> removeAll() {
        Map<Counter, Long> removed = new EnumMap<>(Counter.class);
        pending.forEach((counter, adder) -> {
            long count = adder.sumThenReset();
            if (count != 0 && !deleted) {
                removed.put(counter, count);
            }
        });
        return removed;
    }

    /** Adds counts again that could not be stored. */
    void addAgain(Map<Counter, Long> removed) {
        if (!deleted) {
            removed.forEach(this::plus);
        }
    }
}
