package dev.jono.internal;

import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * One way to settle reservations of a queue: ack, retry and release, extend, or move. Has its own bound and never waits
 * behind pushes.
 *
 * @param <I> what the storage is told of one reservation
 */
final class SettleLane<I> extends Lane<SettleLane.Settle<I>, SettleResult> {
    private final BiFunction<List<I>, String, CompletionStage<SettleResult>> storage;
    private final Consumer<List<I>> applied;

    /** What one caller settles in one go; completes with an outcome per item. */
    static final class Settle<I> extends Lane.Call {
        final List<I> items;
        final CompletableFuture<List<Outcome>> done = new CompletableFuture<>();

        Settle(List<I> items) {
            super(items.size(), 0);
            this.items = items;
        }

        @Override
        void fail(RuntimeException failure) {
            done.completeExceptionally(failure);
        }
    }

    /**
     * A lane.
     *
     * @param storage the storage's call
     * @param applied is told which items were done, before their callers are
     */
    SettleLane(
            QueueCore core,
            String step,
            Duration timeout,
            BiFunction<List<I>, String, CompletionStage<SettleResult>> storage,
            Consumer<List<I>> applied) {
        super(core.context, core.name, step, 1, timeout);
        this.storage = storage;
        this.applied = applied;
    }

    @Override
    CompletionStage<SettleResult> send(List<Settle<I>> batch, String token) {
        if (batch.size() == 1) {
            return storage.apply(batch.get(0).items, token);
        }
        List<I> items = new ArrayList<>(batch.size());
        batch.forEach(call -> items.addAll(call.items));
        return storage.apply(items, token);
    }

    @Override
    void complete(List<Settle<I>> batch, SettleResult answer, boolean repeated) {
        context.storageTime.observe(answer.storageMillis());
        List<List<Outcome>> parts = new ArrayList<>(batch.size());
        List<I> done = new ArrayList<>();
        int at = 0;
        for (Settle<I> call : batch) {
            List<Outcome> part = new ArrayList<>(call.items.size());
            for (I item : call.items) {
                Outcome outcome = answer.outcomes().get(at++);
                // The first attempt, whose reply was lost, removed it: that is what was asked for.
                Outcome told = repeated && outcome == Outcome.GONE ? Outcome.DONE : outcome;
                part.add(told);
                if (told == Outcome.DONE) {
                    done.add(item);
                }
            }
            parts.add(part);
        }
        if (!done.isEmpty()) {
            applied.accept(done);
        }
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).done.complete(parts.get(i));
        }
    }
}
