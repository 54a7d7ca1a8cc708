package dev.jono.internal;

import dev.jono.spi.Counter;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts of one queue that were not yet added to the stats store. */
final class Counters {
    private final Map<Counter, LongAdder> pending = new EnumMap<>(Counter.class);
    private final StatsHub hub;
    private final String queue;

    Counters(StatsHub hub, String queue) {
        this.hub = hub;
        this.queue = queue;
        for (Counter counter : Counter.values()) {
            pending.put(counter, new LongAdder());
        }
    }

    void pushed(long count) {
        add(Counter.PUSHED, count);
    }

    void add(Counter counter, long count) {
        if (count > 0) {
            plus(counter, count);
            hub.dirty(this);
        }
    }

    /** Undoes an {@link #add}. */
    void takeBack(Counter counter, long count) {
        if (count > 0) {
            plus(counter, -count);
            hub.dirty(this);
        }
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

    /** Takes what is pending. */
    Map<Counter, Long> take() {
        Map<Counter, Long> taken = new EnumMap<>(Counter.class);
        pending.forEach((counter, adder) -> {
            long count = adder.sumThenReset();
            if (count != 0) {
                taken.put(counter, count);
            }
        });
        return taken;
    }

    /** Keeps what could not be stored. */
    void keep(Map<Counter, Long> taken) {
        taken.forEach(this::plus);
    }
}
