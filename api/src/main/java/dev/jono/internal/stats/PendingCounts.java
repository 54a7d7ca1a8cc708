package dev.jono.internal.stats;

import dev.jono.spi.Counter;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** Counts of one queue that were not yet added to the stats store. */
public final class PendingCounts {
    /** What shows that a queue is in use, and does not only end what was begun before. */
    private static final Set<Counter> BEGINS = EnumSet.of(Counter.PUSHED, Counter.POPPED, Counter.RESERVED);

    private final Map<Counter, LongAdder> pending = new EnumMap<>(Counter.class);
    private final StatsHub hub;
    private final String queue;

    /**
     * Whether the queue was deleted and is not used anew yet. What still ends there (an ack that is in flight) counts
     * nothing: it would make the queue anew in the stats.
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

    /** The queue was deleted: drops what is pending. */
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

    /** Takes what is pending; of a queue that was deleted nothing. */
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

    /** Keeps what could not be stored. */
    void keep(Map<Counter, Long> taken) {
        if (!over) {
            taken.forEach(this::plus);
        }
    }
}
