package dev.jono.spi;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Keeps the counters and the paused flag of each queue of a namespace. Best effort: the engine sums counts in memory and
 * adds them at intervals, so a crash loses the counts of the last interval. Must be thread-safe, and must not block.
 */
public interface StatsStore extends AutoCloseable {
    /**
     * Adds to the counters of many queues in one call.
     *
     * @param deltas what to add, by name of queue
     */
    CompletionStage<Void> add(Map<String, Map<Counter, Long>> deltas);

    /** Reads the counters of a queue. Counters without a count may be missing. */
    CompletionStage<Map<Counter, Long>> read(String queue);

    /** Sets all counters of a queue to zero. The paused flag stays. */
    CompletionStage<Void> clear(String queue);

    /** Reads which of these queues are paused, in one call. */
    CompletionStage<Set<String>> paused(Collection<String> queues);

    /** Sets or clears the paused flag. When the stage completes, every process that reads the flag from then on sees it. */
    CompletionStage<Void> setPaused(String queue, boolean paused);

    /**
     * Removes everything that is kept of a queue, including the paused flag. {@link #queues} then no longer returns the
     * queue, and later counts begin at zero.
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

    /** Lists the queues of the namespace that have counters or a paused flag. */
    CompletionStage<Set<String>> queues();

    /** Closes the connection, if this store opened it. Idempotent. */
    @Override
    void close();
}
