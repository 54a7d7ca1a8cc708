package dev.jono.internal.worker;

import dev.jono.internal.concurrent.UninterruptibleWait;
import dev.jono.internal.runtime.EngineContext;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Messages that a worker is settling or giving back; the end of the worker waits for them. Thread-safe. */
final class PendingSettlements {
    private final EngineContext context;
    private final Set<CompletableFuture<?>> open = ConcurrentHashMap.newKeySet();

    PendingSettlements(EngineContext context) {
        this.context = context;
    }

    /** Adds a settlement or a return in flight. */
    @SuppressWarnings("CollectionUndefinedEquality") // identity is what is meant
    void add(CompletableFuture<?> settled) {
        open.add(settled);
        settled.whenComplete((done, failure) -> open.remove(settled));
    }

    /**
     * Waits until none is pending, including those that are added meanwhile.
     *
     * @throws RuntimeException if one failed, or is not done by the deadline
     */
    void await(long deadlineNanos) {
        while (!open.isEmpty()) {
            CompletableFuture<?> all = CompletableFuture.allOf(open.toArray(CompletableFuture[]::new));
            UninterruptibleWait.answer(
                    all,
                    context.clock,
                    Duration.ofNanos(Math.max(0, deadlineNanos - context.clock.nanos())),
                    () -> new IllegalStateException("not answered in time"));
        }
    }
}
