package dev.jono.internal;

import dev.jono.BatchHandler;
import dev.jono.spi.Due;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One queue of a worker: waits in the queue's intake for as many messages as the worker has room for. */
final class WorkerSource<T> extends Waiter {
    final Spec<T> spec;
    final WaitingConsumers consumers;
    final ClaimTerms terms;
    final HoldBack holdBack;
    final Runnable drainHook = this::returnReadAhead;
    private final WorkerImpl worker;

    /** How much it was served, by weight; guarded by the worker's lock. */
    double served;

    /** Room promised to the claim under way; guarded by the worker's lock. */
    int promised;

    /** A queue, its share, and its handler. */
    record Spec<T>(QueueImpl<T> queue, int weight, int batch, BatchHandler<T> handler) {}

    WorkerSource(WorkerImpl worker, Spec<T> spec, ClaimTerms terms) {
        this.worker = worker;
        this.spec = spec;
        this.consumers = spec.queue().handle.core.consumers;
        this.terms = terms;
        this.holdBack = new HoldBack(this, worker);
    }

    /** The end of the worker waits for this. */
    void addSettlement(CompletableFuture<?> settled) {
        worker.settlements.add(settled);
    }

    @Override
    ClaimTerms terms() {
        return terms;
    }

    @Override
    int demand() {
        return worker.room(this);
    }

    @Override
    boolean accept(List<HeldMessage> messages) {
        List<HoldBack.Held> held = holdBack.held(messages);
        if (held.isEmpty()) {
            return worker.received(this, List.copyOf(messages));
        }
        List<HeldMessage> handed = new ArrayList<>(messages);
        held.forEach(each -> handed.remove(each.message()));
        if (!worker.received(this, handed)) {
            return false;
        }
        for (HoldBack.Held each : held) {
            addSettlement(spec.queue().handle.core.giveBack.give(List.of(each.message()), Due.in(each.pauseMillis())));
        }
        return true;
    }

    @Override
    void afterHandOut() {
        worker.begin(this);
    }

    @Override
    void nothingForYou() {
        worker.received(this, List.of());
    }

    @Override
    void queueEmpty() {
        worker.emptied();
    }

    @Override
    void failed(RuntimeException failure) {
        worker.failed(this, failure);
    }

    @Override
    boolean isWorker() {
        return true;
    }

    @Override
    boolean isOneShot() {
        return false;
    }

    @Override
    void pauseChanged(boolean paused) {
        worker.gate(this, paused);
    }

    /** Whether its queue object hands out nothing more. */
    boolean drained() {
        return spec.queue().handle.drained();
    }

    private void returnReadAhead() {
        worker.returnReadAhead(this);
    }
}
