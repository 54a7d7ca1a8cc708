package dev.jono.internal.stats;

import dev.jono.spi.Counter;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** Counts of one queue that are not in the stats store yet. Thread-safe. */
public final class PendingCounts {
    /** Counters which show that a queue is used again; the others only end what was begun before. */
    private static final Set<Counter> BEGINS = EnumSet.of(Counter.PUSHED, Counter.POPPED, Counter.RESERVED);

    private final Map<Counter, LongAdder> pending = new EnumMap<>(Counter.class);
    private final StatsHub hub;
    private final String queue;

    /**
     * Whether the queue was deleted and has not been used since. What still ends then, such as an ack in flight, is not
     * counted: it would create the queue in the stats again.
     */
    private volatile boolean over;

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
        }
    }

    /** Undoes an {@link #add}. */
    public void takeBack(Counter counter, long count) {
        if (count > 0 && !over) {
            plus(counter, -count);
            hub.dirty(this);
        }
    }

    private boolean counts(Counter counter) {
        if (over && BEGINS.contains(counter)) {
            over = false;
        }
        return !over;
    }

    /** The queue was deleted: drops the pending counts. */
    void end() {
        over = true;
        take();
    }

    private void plus(Counter counter, long count) {
        LongAdder adder = pending.get(counter);
        if (adder != null) {
            adder.add(count);
        }
    }

    String queue() {
        return queue;
    }

    /** Takes the pending counts; of a deleted queue, none. */
    Map<Counter, Long> take() {
        Map<Counter, Long> taken = new EnumMap<>(Counter.class);
        pending.forEach((counter, adder) -> {
            long count = adder.sumThenReset();
            if (count != 0 && !over) {
                taken.put(counter, count);
            }
        });
        return taken;
    }

    /** Adds counts again that could not be stored. */
    void keep(Map<Counter, Long> taken) {
        if (!over) {
            taken.forEach(this::plus);
        }
    }
}
