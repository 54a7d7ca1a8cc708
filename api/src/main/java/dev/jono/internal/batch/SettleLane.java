package dev.jono.internal.batch;

import dev.jono.internal.runtime.QueueScope;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One way to settle reservations of a queue: ack, release (which includes retry), extend, or move. Each kind has a lane of its
 * own, so it does not wait for pushes. Submitted to on the threads of callers and of the engine; answers arrive on those of the
 * storage.
 *
 * @param <I> what the storage needs to know of one reservation
 */
public final class SettleLane<I> extends Lane<SettleLane.Settle<I>, SettleResult> {
    private final Step<I> storage;
    private final boolean goneMeansDone;
    private final boolean mayOvertake;
    private final Applied<I> applied;

    /** The call to the storage. */
    @FunctionalInterface
    public interface Step<I> {
        CompletionStage<SettleResult> send(List<I> items, long leaseMillis, String token);
    }

    /** What follows from a batch. */
    @FunctionalInterface
    public interface Applied<I> {
        void accept(List<I> done, SettleResult answer);
    }

    /** The reservations that one caller settles in one call; completes with an outcome for each. */
    public static final class Settle<I> extends BatchedCall {
        public final List<I> items;

        /** The lease of an extension; 0 in other lanes. */
        final long leaseMillis;

        public final CompletableFuture<List<Outcome>> done = new CompletableFuture<>();

        public Settle(List<I> items) {
            this(items, 0);
        }

        public Settle(List<I> items, long leaseMillis) {
            super(items.size(), 0);
            this.items = items;
            this.leaseMillis = leaseMillis;
        }

        @Override
        public void fail(RuntimeException failure) {
            done.completeExceptionally(failure);
        }
    }

    /**
     * A lane.
     *
     * @param goneMeansDone whether a repeated step may find the message gone because the first attempt was done: it removed
     *     the message, or gave it back to consumers that have consumed it since
     * @param mayOvertake whether batches may be done in any order, as acks may, so that several can be in flight
     * @param storage the call to the storage
     * @param applied gets the items that were done, and the answer, before their callers are notified
     */
    public SettleLane(
            QueueScope scope,
            String step,
            boolean goneMeansDone,
            boolean mayOvertake,
            Step<I> storage,
            Applied<I> applied) {
        super(scope, step, mayOvertake ? scope.context().traits.maxConcurrentAcks() : 1);
        this.goneMeansDone = goneMeansDone;
        this.mayOvertake = mayOvertake;
        this.storage = storage;
        this.applied = applied;
    }

    @Override
    protected CompletionStage<SettleResult> send(List<Settle<I>> batch, String token) {
        return storage.send(joined(batch, call -> call.items), batch.get(0).leaseMillis, token);
    }

    @Override
    public int minItemsForSecondBatch() {
        return context.traits.preferredBatch();
    }

    @Override
    public int maxBatch() {
        return mayOvertake ? context.traits.maxAckBatch() : super.maxBatch();
    }

    @Override
    public boolean mayShareBatch(Settle<I> first, Settle<I> next) {
        return first.leaseMillis == next.leaseMillis;
    }

    @Override
    protected long storageMillis(SettleResult answer) {
        return answer.storageMillis();
    }

    @Override
    protected void complete(List<Settle<I>> batch, SettleResult answer, boolean repeated) {
        List<List<Outcome>> parts = new ArrayList<>(batch.size());
        List<I> done = new ArrayList<>();
        int at = 0;
        for (Settle<I> call : batch) {
            List<Outcome> part = new ArrayList<>(call.items.size());
            for (I item : call.items) {
                Outcome outcome = answer.outcomes().get(at++);
                // The first attempt, whose reply was lost, did what was asked for.
                Outcome reported = repeated && goneMeansDone && outcome == Outcome.GONE ? Outcome.DONE : outcome;
                part.add(reported);
                if (reported == Outcome.DONE) {
                    done.add(item);
                }
            }
            parts.add(part);
        }
        if (!done.isEmpty()) {
            context.runConsequences(queue, () -> applied.accept(done, answer));
        }
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).done.complete(parts.get(i));
        }
    }
}
