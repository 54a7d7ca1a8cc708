package dev.jono.internal.worker;

import dev.jono.internal.concurrent.UninterruptibleWait;
import dev.jono.internal.runtime.EngineContext;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The settlements and give-backs of a worker that are not stored yet. Stopping the worker waits for them. Added to by the
 * threads of handlers, the storage and the caller that stops the worker. Thread-safe.
 */
final class PendingSettlements {
    private final EngineContext context;
    private final Set<CompletableFuture<?>> pending = ConcurrentHashMap.newKeySet();

    PendingSettlements(EngineContext context) {
        this.context = context;
    }

    /** Adds a settlement or a give-back that is in flight. */
    @SuppressWarnings("CollectionUndefinedEquality") // identity is what is meant
    void add(CompletableFuture<?> settlement) {
        pending.add(settlement);
        settlement.whenComplete((done, failure) -> pending.remove(settlement));
    }

    /**
     * Waits until none is pending, including those that are added during the wait. The caller is the thread that stops the
     * worker.
     *
     * @throws RuntimeException if one fails during the wait, or is not done by the deadline. Those that failed before are
     *     not reported here; the code that added them logs the failure
     */
    void await(long deadlineNanos) {
        while (!pending.isEmpty()) {
            CompletableFuture<?> all = CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new));
            UninterruptibleWait.answer(
                    all,
                    context.clock,
                    Duration.ofNanos(Math.max(0, deadlineNanos - context.clock.nanos())),
                    () -> new IllegalStateException("not answered in time"));
        }
    }
}
