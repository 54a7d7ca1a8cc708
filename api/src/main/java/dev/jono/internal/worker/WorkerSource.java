package dev.jono.internal.worker;

import dev.jono.BatchHandler;
import dev.jono.internal.batch.SettleLane;
import dev.jono.internal.claim.ClaimTerms;
import dev.jono.internal.claim.HeldMessage;
import dev.jono.internal.claim.Waiter;
import dev.jono.internal.claim.WaitingConsumers;
import dev.jono.internal.core.QueueHandle;
import dev.jono.internal.queue.QueueImpl;
import dev.jono.spi.ClaimGate;
import dev.jono.spi.Due;
import dev.jono.spi.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * One queue of a worker: waits for as many messages of the queue as the worker has room for. {@link WaitingConsumers} and its
 * claims call it, on the threads of the storage and of timers, without a lock except for {@link #demand}.
 */
final class WorkerSource<T> extends Waiter {
    final Spec<T> spec;
    final WaitingConsumers consumers;
    final ClaimTerms terms;
    final RedeliveryDelays delays;
    private final Runnable drainHook;
    private final QueueHandle handle;
    private final Owner worker;
    private final PendingSettlements settlements;

    /** The room that this source was promised and used, divided by its weight; guarded by the lock of {@link WorkerState}. */
    double served;

    /** Room promised to its claim in flight; 0 while none is. Guarded by the lock of {@link WorkerState}. */
    int promised;

    /**
     * What a user sets for one queue of a worker.
     *
     * @param batch the maximum number of messages that the handler gets at once
     * @param gate limits the claims
     */
    record Spec<T>(QueueImpl<T> queue, int weight, int batch, ClaimGate gate, BatchHandler<T> handler) {}

    /** The worker, as its sources see it. Called on the threads of the storage and of timers. */
    interface Owner {
        /** How many messages a source can claim now; called with the lock of its {@link WaitingConsumers} held. */
        int room(WorkerSource<?> source);

        /** A claim for a source has ended, and brought these messages; false if the worker accepts none any more. */
        <T> boolean received(WorkerSource<T> source, List<HeldMessage> messages);

        /** A claim for a source was handed out: tasks can be started for its messages, and the next claims be made. */
        void begin(WorkerSource<?> source);

        /** A claim for a source failed. */
        void failed(WorkerSource<?> source, RuntimeException failure);

        /** The queue of a source has no due message. */
        void emptied();

        /** The queue of a source was paused or resumed. */
        void pauseChanged(WorkerSource<?> source, boolean paused);

        /** Gives back the messages of a source whose handlers were not started. */
        void returnReadAhead(WorkerSource<?> source);
    }

    WorkerSource(
            Owner worker, Spec<T> spec, ClaimTerms terms, RedeliveryDelays delays, PendingSettlements settlements) {
        this.worker = worker;
        this.drainHook = () -> worker.returnReadAhead(this);
        this.spec = spec;
        this.handle = spec.queue().handle;
        this.consumers = handle.core.consumers;
        this.terms = terms;
        this.delays = delays;
        this.settlements = settlements;
    }

    String queueName() {
        return handle.name();
    }

    /** The maximum number of messages of one claim. If messages of one ordering key come together, a claim is one batch. */
    int mostPerClaim() {
        return terms.maxPerKey() > 1 ? spec.batch() : Integer.MAX_VALUE;
    }

    /** The time limit of one storage call of the queue. */
    Duration timeout() {
        return handle.core.timeout;
    }

    /** Begins to wait for messages. */
    void attach() {
        handle.readAheads.add(drainHook);
        consumers.add(this);
    }

    /** Ends the wait for messages. */
    void detach() {
        consumers.remove(this);
        handle.readAheads.remove(drainHook);
    }

    /** The worker holds this many more messages of the queue; fewer where negative. */
    void addHeld(int change) {
        handle.addHeld(change);
    }

    /** Gives back messages to their old places, uncounted. Completes when the storage has done it. */
    CompletableFuture<Void> giveBack(List<HeldMessage> messages) {
        return handle.core.giveBack.give(messages);
    }

    /** Extends leases of messages of the queue. */
    void extend(SettleLane.Settle<Receipt> call) {
        handle.core.extensions.submitInternal(call);
    }

    /** Adds a settlement or a give-back that the stop of the worker waits for. */
    void addSettlement(CompletableFuture<?> settlement) {
        settlements.add(settlement);
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
        List<RedeliveryDelays.Delayed> delayed = new ArrayList<>();
        if (!worker.received(this, withoutDelayed(messages, delayed))) {
            return false;
        }
        for (RedeliveryDelays.Delayed each : delayed) {
            addSettlement(handle.core.giveBack.give(List.of(each.message()), Due.in(each.delayMillis())));
        }
        return true;
    }

    /**
     * The messages to hand over now. The later messages of the key of a delayed one are not handed over either: the storage
     * takes them back with it.
     *
     * @param delayed gets the messages to give back
     */
    private List<HeldMessage> withoutDelayed(List<HeldMessage> messages, List<RedeliveryDelays.Delayed> delayed) {
        Map<HeldMessage, RedeliveryDelays.Delayed> all = new HashMap<>();
        delays.delayed(messages).forEach(each -> all.put(each.message(), each));
        Set<String> delayedKeys = new HashSet<>();
        List<HeldMessage> handed = new ArrayList<>(messages.size());
        for (HeldMessage message : messages) {
            RedeliveryDelays.Delayed delay = all.get(message);
            String key = terms.maxPerKey() > 1 ? message.message.key() : null;
            if (key != null && delayedKeys.contains(key)) {
                continue;
            }
            if (delay == null) {
                handed.add(message);
            } else {
                delayed.add(delay);
                if (key != null) {
                    delayedKeys.add(key);
                }
            }
        }
        return handed;
    }

    @Override
    protected void afterHandOut() {
        worker.begin(this);
    }

    @Override
    protected void notServed() {
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
    protected void pauseChanged(boolean paused) {
        worker.pauseChanged(this, paused);
    }

    /** Whether its queue object was drained. */
    boolean drained() {
        return handle.drained();
    }
}
