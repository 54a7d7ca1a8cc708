package dev.jono.internal.worker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Decides which source of a worker claims next: in strict order, or by weight. By weight, the source comes first that was
 * served least in relation to its weight. Used by {@link WorkerState}, with its lock held.
 */
final class SourceTurns {
    private final List<WorkerSource<?>> sources;
    private final boolean strictOrder;
    private final int totalRoom;

    /**
     * How far {@link WorkerSource#served} of one source can lag behind that of another one. A source whose queue was empty for
     * long must not get all the room afterwards.
     */
    private final int maxCredit;

    SourceTurns(List<WorkerSource<?>> sources, boolean strictOrder, int concurrency, int prefetch) {
        this.sources = sources;
        this.strictOrder = strictOrder;
        this.totalRoom = concurrency + prefetch;
        this.maxCredit = concurrency;
    }

    /** Whether a source can claim now. One that cannot is asked again when the turn of another one ends. */
    boolean hasTurn(WorkerSource<?> source) {
        return source.promised == 0
                && !source.drained()
                && sources.stream().noneMatch(other -> other != source && precedes(other, source));
    }

    private boolean precedes(WorkerSource<?> first, WorkerSource<?> other) {
        if (strictOrder) {
            // While the claim of the first one is in flight, the others use the rest of the room. It is soon known
            // whether
            // the first queue is paused; the others wait until then.
            return sources.indexOf(first) < sources.indexOf(other)
                    && first.promised == 0
                    && first.consumers.mayGetMessages()
                    && mayClaim(first);
        }
        return first.served < other.served && mayGet(first);
    }

    /** Whether a claim can bring messages of a source, or one is in flight. */
    private static boolean mayGet(WorkerSource<?> source) {
        return source.promised > 0 || (source.consumers.mayHaveMessages() && mayClaim(source));
    }

    private static boolean mayClaim(WorkerSource<?> source) {
        return !source.drained() && source.spec.gate().isOpen();
    }

    /**
     * Promises a source that {@linkplain #hasTurn has its turn} its share of the free room, as far as its gate has permits; returns how
     * much.
     */
    int takeTurn(WorkerSource<?> source, int free) {
        int share = free;
        if (!strictOrder && sources.size() > 1) {
            // If others can have messages too, no source gets all the room; but enough for a batch.
            int weights = sources.stream()
                    .filter(each -> each == source || mayGet(each))
                    .mapToInt(each -> each.spec.weight())
                    .sum();
            int weighted = (int) Math.ceil((double) totalRoom * source.spec.weight() / weights);
            share = Math.min(free, Math.max(source.spec.batch(), weighted));
        }
        share = source.spec.gate().take(share);
        source.promised = share;
        source.served += (double) share / source.spec.weight();
        return share;
    }

    /** How many batches the claims in flight can bring at most. */
    int promisedBatches() {
        return sources.stream()
                .mapToInt(source -> (source.promised + source.spec.batch() - 1) / source.spec.batch())
                .sum();
    }

    /** The claim of a source has ended; returns how much of the promised room it did not use. */
    int endTurn(WorkerSource<?> source, int received) {
        int unused = source.promised - received;
        source.served -= (double) unused / source.spec.weight();
        source.promised = 0;
        source.spec.gate().giveBack(unused);
        return unused;
    }

    /** All sources, the next one first. */
    List<WorkerSource<?>> inOrder() {
        if (strictOrder || sources.size() == 1) {
            return sources;
        }
        List<WorkerSource<?>> order = new ArrayList<>(sources);
        order.sort(Comparator.comparingDouble(source -> source.served));
        double least = order.get(order.size() - 1).served - maxCredit;
        order.forEach(source -> source.served = Math.max(source.served, least));
        return order;
    }
}
