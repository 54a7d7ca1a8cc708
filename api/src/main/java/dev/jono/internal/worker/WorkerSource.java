package dev.jono.internal.worker;

import dev.jono.BatchHandler;
import dev.jono.internal.batch.SettleLane;
import dev.jono.internal.claim.ClaimTerms;
import dev.jono.internal.claim.HeldMessage;
import dev.jono.internal.claim.Waiter;
import dev.jono.internal.claim.WaitingConsumers;
import dev.jono.internal.core.QueueHandle;
import dev.jono.internal.queue.QueueImpl;
import dev.jono.spi.Due;
import dev.jono.spi.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One queue of a worker: waits for as many of its messages as the worker has room for. Called on the threads of the storage
 * and of timers.
 */
final class WorkerSource<T> extends Waiter {
    final Spec<T> spec;
    final WaitingConsumers consumers;
    final ClaimTerms terms;
    final HoldBack holdBack;
    private final Runnable drainHook = this::returnReadAhead;
    private final QueueHandle handle;
    private final Owner worker;
    private final PendingSettlements settlements;

    /** How much it was served, by weight; guarded by the lock of {@link WorkerState}. */
    double served;

    /** Room promised to its claim in flight; guarded by the lock of {@link WorkerState}. */
    int promised;

    /** The queue, its weight, most messages of a batch, and the handler. */
    record Spec<T>(QueueImpl<T> queue, int weight, int batch, BatchHandler<T> handler) {}

    /** The worker, as its sources see it. Called on the threads of the storage. */
    interface Owner {
        /** How many messages a source may claim now; called with the lock of its {@link WaitingConsumers} held. */
        int room(WorkerSource<?> source);

        /** A claim for a source has ended, and brought these messages; false if the worker takes none any more. */
        <T> boolean received(WorkerSource<T> source, List<HeldMessage> messages);

        /** A claim for a source is over: what it brought may be started, and the next ones made. */
        void begin(WorkerSource<?> source);

        /** A claim for a source failed. */
        void failed(WorkerSource<?> source, RuntimeException failure);

        /** The storage has nothing for a source now. */
        void emptied();

        /** The queue of a source was paused or resumed. */
        void pauseChanged(WorkerSource<?> source, boolean paused);

        /** Nothing that was read ahead from the queue of a source is handed out any more. */
        void returnReadAhead(WorkerSource<?> source);
    }

    WorkerSource(Owner worker, Spec<T> spec, ClaimTerms terms, HoldBack holdBack, PendingSettlements settlements) {
        this.worker = worker;
        this.spec = spec;
        this.handle = spec.queue().handle;
        this.consumers = handle.core.consumers;
        this.terms = terms;
        this.holdBack = holdBack;
        this.settlements = settlements;
    }

    String queueName() {
        return handle.name();
    }

    /** How long a call of the queue may take. */
    Duration timeout() {
        return handle.core.timeout;
    }

    /** Begins to wait for messages. */
    void attach() {
        handle.readAheads.add(drainHook);
        consumers.add(this);
    }

    /** Waits for no more messages. */
    void detach() {
        consumers.remove(this);
        handle.readAheads.remove(drainHook);
    }

    /** The worker holds this many messages of the queue more; fewer where negative. */
    void held(int change) {
        handle.held(change);
    }

    /** Gives back messages to their old places, not counted as delivered. Completes when the storage has them. */
    CompletableFuture<Void> giveBack(List<HeldMessage> messages) {
        return handle.core.giveBack.give(messages);
    }

    /** Extends leases of messages of the queue. */
    void extend(SettleLane.Settle<Receipt> call) {
        handle.core.extensions.submitInternal(call);
    }

    /** Adds a settlement that the end of the worker waits for. */
    void addSettlement(CompletableFuture<?> settled) {
        settlements.add(settled);
    }

    @Override
    protected ClaimTerms terms() {
        return terms;
    }

    @Override
    protected int demand() {
        return worker.room(this);
    }

    @Override
    protected boolean accept(List<HeldMessage> messages) {
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
            addSettlement(handle.core.giveBack.give(List.of(each.message()), Due.in(each.pauseMillis())));
        }
        return true;
    }

    @Override
    protected void afterHandOut() {
        worker.begin(this);
    }

    @Override
    protected void nothingForYou() {
        worker.received(this, List.of());
    }

    @Override
    protected void queueEmpty() {
        worker.emptied();
    }

    @Override
    protected void failed(RuntimeException failure) {
        worker.failed(this, failure);
    }

    @Override
    protected boolean isWorker() {
        return true;
    }

    @Override
    protected boolean isOneShot() {
        return false;
    }

    @Override
    protected void pauseChanged(boolean paused) {
        worker.pauseChanged(this, paused);
    }

    /** Whether its queue object was drained. */
    boolean drained() {
        return handle.drained();
    }

    private void returnReadAhead() {
        worker.returnReadAhead(this);
    }
}
