package dev.jono.internal.queue;

import dev.jono.QueueCounts;
import dev.jono.StorageException;
import dev.jono.internal.concurrent.UninterruptibleWait;
import dev.jono.internal.core.QueueCore;
import dev.jono.internal.runtime.EngineContext;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Counts many queues together. A driver sends calls that are made at once in one round trip, or on as many connections as it has. Called on
 * a thread of the application, which waits; with no lock held. Stateless.
 */
public final class CountsOfQueues {
    /** More calls at once would need as many threads where the driver blocks. */
    private static final int AT_ONCE = 64;

    private CountsOfQueues() {}

    /**
     * Counts queues.
     *
     * @param timeout of the calls that are made at once
     * @return the counts by the name of the queue, in the order of the list
     */
    public static Map<String, QueueCounts> read(List<QueueCore> queues, EngineContext context, Duration timeout) {
        Map<String, QueueCounts> all = new LinkedHashMap<>();
        for (int from = 0; from < queues.size(); from += AT_ONCE) {
            List<QueueCore> some = queues.subList(from, Math.min(queues.size(), from + AT_ONCE));
            all.putAll(UninterruptibleWait.answer(
                    together(some),
                    context.clock,
                    timeout,
                    () -> new StorageException("the storage did not count its queues in time", null, null, null)));
        }
        return all;
    }

    private static CompletableFuture<Map<String, QueueCounts>> together(List<QueueCore> queues) {
        Map<String, CompletableFuture<QueueCounts>> calls = new LinkedHashMap<>();
        queues.forEach(queue -> calls.put(queue.name, QueueReads.counts(queue)));
        return CompletableFuture.allOf(calls.values().toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    Map<String, QueueCounts> counts = new LinkedHashMap<>();
                    calls.forEach((name, call) -> counts.put(name, call.join()));
                    return counts;
                });
    }
}
