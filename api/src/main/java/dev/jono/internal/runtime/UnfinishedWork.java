package dev.jono.internal.runtime;

import dev.jono.internal.log.Log;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Work of one queue that takes several storage calls, or several attempts at one. The close of the factory waits for it. Called
 * on any thread, with no lock held. Thread-safe.
 */
public final class UnfinishedWork {
    private static final Log LOG = Log.named("dev.jono");
    private static final long FIRST_DELAY_MILLIS = 50;
    private static final long LONGEST_DELAY_MILLIS = 10_000;
    private static final int MAX_DOUBLINGS = 10;

    private final EngineContext context;
    private final String queue;
    private final Set<CompletableFuture<?>> unfinished = ConcurrentHashMap.newKeySet();

    public UnfinishedWork(QueueScope scope) {
        this.context = scope.context();
        this.queue = scope.name();
    }

    /** Adds work, which is removed when it completes. Returns its argument. */
    @SuppressWarnings("CollectionUndefinedEquality")
    public // identity is what is meant
    <F extends CompletableFuture<?>> F add(F work) {
        unfinished.add(work);
        work.whenComplete((done, failure) -> unfinished.remove(work));
        return work;
    }

    /** Returns a future that completes when all work that is unfinished now has ended, whether it failed or not. */
    public CompletableFuture<?> finished() {
        return CompletableFuture.allOf(unfinished.toArray(CompletableFuture[]::new))
                .exceptionally(failure -> null);
    }

    /**
     * Repeats a step, after growing delays, until the storage has done it or {@link EngineContext#end} was called.
     *
     * @param step names the step in log lines
     * @param attempt starts one attempt
     */
    public CompletableFuture<Void> persistently(String step, Supplier<CompletableFuture<?>> attempt) {
        CompletableFuture<Void> done = add(new CompletableFuture<>());
        attempt(step, 0, attempt, done);
        return done;
    }

    private void attempt(
            String step, int failures, Supplier<CompletableFuture<?>> attempt, CompletableFuture<Void> done) {
        attempt.get().whenComplete((result, failure) -> {
            if (failure == null) {
                done.complete(null);
            } else if (context.ended()) {
                LOG.error("{} on queue '{}' failed while the factory closes", step, queue, failure);
                done.completeExceptionally(failure);
            } else {
                long delayMillis =
                        Math.min(LONGEST_DELAY_MILLIS, FIRST_DELAY_MILLIS << Math.min(failures, MAX_DOUBLINGS));
                LOG.outage(
                        context.outages,
                        failure,
                        "{} on queue '{}' failed; tried again in {} ms",
                        step,
                        queue,
                        delayMillis);
                context.clock.schedule(delayMillis * 1_000_000, () -> attempt(step, failures + 1, attempt, done));
            }
        });
    }
}
