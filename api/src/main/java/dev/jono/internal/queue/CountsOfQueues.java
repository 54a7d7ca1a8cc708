package dev.jono.internal.queue;

import dev.jono.QueueCounts;
import dev.jono.StorageException;
import dev.jono.internal.concurrent.UninterruptibleWait;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.spi.CountsResult;
import dev.jono.spi.QueueSpec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Counts many queues together. Called on a thread of the application, which waits;
 * with no lock held. Stateless.
 */
public final class CountsOfQueues {
    /** Few enough for the timeout of a call where a storage counts one queue after the other. */
    private static final int AT_ONCE = 20;

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
            List<String> names = some.stream().map(QueueSpec::name).toList();
            Map<String, CountsResult> counts = UninterruptibleWait.answer(
                    QueueReads.send(context, names, "counts", () -> context.backend.counts(some)),
                    context.clock,
                    timeout,
                    () -> new StorageException("the storage did not count its queues in time", null, null, null));
            names.forEach(name -> all.put(name, QueueReads.counts(Objects.requireNonNull(counts.get(name)))));
        }
        return all;
    }
}
