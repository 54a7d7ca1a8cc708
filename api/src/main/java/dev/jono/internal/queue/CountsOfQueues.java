package dev.jono.internal.queue;

import dev.jono.QueueCounts;
import dev.jono.StorageException;
import dev.jono.internal.concurrent.Completions;
import dev.jono.internal.concurrent.UninterruptibleWait;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.spi.CountsResult;
import dev.jono.spi.QueueSpec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Counts many queues together. Called on a thread of the application, which waits; with no lock held. Stateless. */
public final class CountsOfQueues {
    /** More in one call would make other calls to the storage wait for it. */
    private static final int AT_ONCE = 100;

    private CountsOfQueues() {}

    /**
     * Counts queues.
     *
     * @param timeout of one call to the storage
     * @return the counts by the name of the queue, in the order of the list
     */
    public static Map<String, QueueCounts> read(List<QueueSpec> queues, EngineContext context, Duration timeout) {
        Map<String, QueueCounts> all = new LinkedHashMap<>();
        for (int from = 0; from < queues.size(); from += AT_ONCE) {
            List<QueueSpec> some = queues.subList(from, Math.min(queues.size(), from + AT_ONCE));
            Map<String, CountsResult> counts = UninterruptibleWait.answer(
                    Completions.start(() -> context.backend.counts(some)),
                    context.clock,
                    timeout,
                    () -> new StorageException("the storage did not count its queues in time", null, null, null));
            some.forEach(queue ->
                    all.put(queue.name(), QueueReads.counts(Objects.requireNonNull(counts.get(queue.name())))));
        }
        return all;
    }
}
