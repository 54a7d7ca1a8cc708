package dev.jono.internal.batch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls of one lane that wait, and how much of it is in flight. Decides which calls share a batch. Used by {@link Lane},
 * under its lock.
 *
 * @param <C> a caller's call
 */
final class BatchQueue<C extends BatchedCall> {
    private final Rules<C> rules;
    private final int maxInFlight;
    private final ArrayDeque<C> waiting = new ArrayDeque<>();

    /** Batches in flight. */
    private int inFlight;

    private long itemsInFlight;

    /** Items and bytes that wait or are in flight. */
    private long items;

    private long bytes;

    /** Which calls share a batch. */
    interface Rules<C> {
        boolean mayShareBatch(C first, C next);

        /** The maximum number of items of the calls that share a batch. */
        int maxBatch();

        /** The maximum number of bytes of the calls that share a batch. */
        long maxBatchBytes();

        /** This many items must wait before a batch is sent while another is in flight. */
        int minItemsForSecondBatch();
    }

    /** The calls of one lane. */
    BatchQueue(Rules<C> rules, int maxInFlight) {
        this.rules = rules;
        this.maxInFlight = maxInFlight;
    }

    /** Whether a call may be added within these bounds; the first one always may. */
    boolean fits(C call, Lane.Bounds bounds) {
        return items == 0 || (items + call.weight <= bounds.maxItems() && bytes + call.bytes <= bounds.maxBytes());
    }

    void add(C call) {
        items += call.weight;
        bytes += call.bytes;
        waiting.add(call);
    }

    /** Removes a call that waits; false if it does not. */
    boolean remove(C call) {
        boolean removed = waiting.remove(call);
        if (removed) {
            forget(call);
        }
        return removed;
    }

    /** Removes all that wait. */
    List<C> removeAll() {
        List<C> all = new ArrayList<>(waiting);
        waiting.clear();
        all.forEach(this::forget);
        return all;
    }

    /** Removes the first calls whose deadline has passed; none if no batch can be sent now. */
    List<C> removeLate(long nowNanos) {
        List<C> late = new ArrayList<>(0);
        if (maySend()) {
            for (C call = waiting.peek();
                    call != null && call.hasDeadline && call.sendByNanos - nowNanos < 0;
                    call = waiting.peek()) {
                late.add(waiting.remove());
                forget(call);
            }
        }
        return late;
    }

    private void forget(C call) {
        items -= call.weight;
        bytes -= call.bytes;
    }

    /** How many calls wait. */
    int waiting() {
        return waiting.size();
    }

    /** How many items wait. */
    long itemsWaiting() {
        return items - itemsInFlight;
    }

    /** Whether no batch is in flight. */
    boolean isIdle() {
        return inFlight == 0;
    }

    private boolean maySend() {
        return inFlight == 0 || (inFlight < maxInFlight && itemsWaiting() >= rules.minItemsForSecondBatch());
    }

    /** Takes the calls of the next batch, which is in flight from now on; empty if none may be sent. */
    List<C> nextBatch() {
        C first = maySend() ? waiting.poll() : null;
        if (first == null) {
            return List.of();
        }
        List<C> batch = first.alone || waiting.isEmpty() ? List.of(first) : withOthers(first);
        inFlight++;
        itemsInFlight += weight(batch);
        return batch;
    }

    private List<C> withOthers(C first) {
        List<C> batch = new ArrayList<>();
        batch.add(first);
        int weight = first.weight;
        long size = first.bytes;
        for (C next = waiting.peek(); next != null && mayFollow(first, next); next = waiting.peek()) {
            weight += next.weight;
            size += next.bytes;
            if (weight > rules.maxBatch() || size > rules.maxBatchBytes()) {
                break;
            }
            batch.add(waiting.remove());
        }
        return batch;
    }

    private boolean mayFollow(C first, C next) {
        return !next.alone && first.patient == next.patient && rules.mayShareBatch(first, next);
    }

    /** A batch was answered or has failed: its calls have ended. */
    void landed(List<C> batch) {
        noLongerInFlight(batch);
        batch.forEach(this::forget);
    }

    /** A batch has failed: its calls wait again, before all others, each for a batch of its own. */
    void repeatOneByOne(List<C> batch) {
        noLongerInFlight(batch);
        batch.forEach(call -> call.alone = true);
        for (int i = batch.size() - 1; i >= 0; i--) {
            waiting.addFirst(batch.get(i));
        }
    }

    private void noLongerInFlight(List<C> batch) {
        inFlight--;
        itemsInFlight -= weight(batch);
    }

    /** The items of some calls. */
    static long weight(List<? extends BatchedCall> calls) {
        long weight = 0;
        for (BatchedCall call : calls) {
            weight += call.weight;
        }
        return weight;
    }
}
