package dev.jono.internal.worker;

import dev.jono.internal.runtime.EngineContext;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** What a worker is settling or giving back: its end waits for it. */
final class PendingSettlements {
    private final EngineContext context;
    private final Set<CompletableFuture<?>> open = ConcurrentHashMap.newKeySet();

    PendingSettlements(EngineContext context) {
        this.context = context;
    }

    /** Something is being settled or given back. */
    @SuppressWarnings("CollectionUndefinedEquality") // identity is what is meant
    void add(CompletableFuture<?> settled) {
        open.add(settled);
        settled.whenComplete((done, failure) -> open.remove(settled));
    }

    /**
     * Waits until nothing is owed. What is to be settled may be known only when something else is over.
     *
     * @throws RuntimeException if something failed, or is not done by then
     */
    void await(long deadlineNanos) {
        while (!open.isEmpty()) {
            CompletableFuture<?> all = CompletableFuture.allOf(open.toArray(CompletableFuture[]::new));
            context.blocked.await(
                    all,
                    Duration.ofNanos(Math.max(0, deadlineNanos - context.clock.nanos())),
                    () -> new IllegalStateException("not answered in time"));
        }
    }
}
