package dev.jono.spi;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Counters per queue, and the paused flag, of one namespace. Best effort: the engine sums counts in memory and
 * adds them every now and then; what a crash loses is the last interval. Thread-safe, never blocking.
 */
public interface StatsStore extends AutoCloseable {
    /** Adds to the counters of many queues in one call. */
    CompletionStage<Void> add(Map<String, Map<Counter, Long>> deltas);

    /** The counters of a queue; those that were never touched may be absent. */
    CompletionStage<Map<Counter, Long>> read(String queue);

    /** Sets all counters of a queue to zero; the paused flag stays. */
    CompletionStage<Void> clear(String queue);

    /** Which of these queues are paused, in one call. */
    CompletionStage<Set<String>> paused(Collection<String> queues);

    /** Sets or clears the paused flag; complete means that every process which asks from now on sees it. */
    CompletionStage<Void> setPaused(String queue, boolean paused);

    /**
     * Removes all that is kept of a queue, the paused flag too: {@link #queues} does not tell it any more. What is added
     * afterwards counts from zero.
     *
     * @return whether the queue was paused
     */
    default CompletionStage<Boolean> delete(String queue) {
        return paused(List.of(queue)).thenCompose(paused -> {
            boolean was = paused.contains(queue);
            CompletionStage<Void> resumed = was ? setPaused(queue, false) : CompletableFuture.completedFuture(null);
            return resumed.thenCompose(done -> clear(queue)).thenApply(done -> was);
        });
    }

    /** The queues that the namespace has counters or a flag for. */
    CompletionStage<Set<String>> queues();

    /** Closes the connection if this store made it. Idempotent. */
    @Override
    void close();
}
