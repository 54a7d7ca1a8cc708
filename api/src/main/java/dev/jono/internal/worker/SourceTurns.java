package dev.jono.internal.worker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Decides whose turn it is among the sources of a worker: in strict order, or by weight, where the source comes first that
 * was served least in relation to its weight. Guarded by the lock of {@link WorkerState}.
 */
final class SourceTurns {
    private final List<WorkerSource<?>> sources;
    private final boolean strictOrder;
    private final int room;
    private final int credit;

    SourceTurns(List<WorkerSource<?>> sources, boolean strictOrder, int concurrency, int prefetch) {
        this.sources = sources;
        this.strictOrder = strictOrder;
        this.room = concurrency + prefetch;
        this.credit = concurrency;
    }

    /** Whether a source may claim now. A source that may not is woken when the turn of another one ends. */
    boolean hasTurn(WorkerSource<?> source) {
        return source.promised == 0
                && !source.drained()
                && sources.stream().noneMatch(other -> other != source && precedes(other, source));
    }

    private boolean precedes(WorkerSource<?> first, WorkerSource<?> other) {
        boolean mayHave = first.consumers.mayHaveMessages() && !first.drained();
        if (strictOrder) {
            // While its claim is in flight, the others may use the room that it leaves.
            return sources.indexOf(first) < sources.indexOf(other) && first.promised == 0 && mayHave;
        }
        return first.served < other.served && (first.promised > 0 || mayHave);
    }

    /** Promises a source that {@linkplain #hasTurn has its turn} its share of the free room; returns how much. */
    int takeTurn(WorkerSource<?> source, int free) {
        int share = free;
        if (!strictOrder && sources.size() > 1) {
            // One source may not take all the room while others may have messages too.
            int weights = sources.stream().mapToInt(s -> s.spec.weight()).sum();
            share = Math.max(1, Math.min(free, (int) Math.ceil((double) room * source.spec.weight() / weights)));
        }
        source.promised = share;
        source.served += (double) share / source.spec.weight();
        return share;
    }

    /** The claim of a source has ended; returns how much of the promised room it did not use. */
    int endTurn(WorkerSource<?> source, int received) {
        int unused = source.promised - received;
        source.served -= (double) unused / source.spec.weight();
        source.promised = 0;
        return unused;
    }

    /** All sources, the next one first. */
    List<WorkerSource<?>> inOrder() {
        if (strictOrder || sources.size() == 1) {
            return sources;
        }
        List<WorkerSource<?>> order = new ArrayList<>(sources);
        order.sort(Comparator.comparingDouble(source -> source.served));
        // A source that had nothing to claim gets no credit for that time.
        double least = order.get(order.size() - 1).served - credit;
        order.forEach(source -> source.served = Math.max(source.served, least));
        return order;
    }
}
