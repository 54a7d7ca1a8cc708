package dev.jono.memory;

import dev.jono.spi.Counter;
import dev.jono.spi.StatsStore;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** One namespace of a {@link StatsTable}. Thread-safe. */
final class MemStats implements StatsStore {
    private final StatsTable table;
    private final String namespace;
    private final Runnable onClose;
    private final AtomicBoolean closed = new AtomicBoolean();

    MemStats(StatsTable table, String namespace, Runnable onClose) {
        this.table = table;
        this.namespace = namespace;
        this.onClose = onClose;
    }

    @Override
    public CompletionStage<Void> add(Map<String, Map<Counter, Long>> deltas) {
        deltas.forEach((queue, counts) -> table.add(topic(queue), counts));
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Map<Counter, Long>> read(String queue) {
        return CompletableFuture.completedFuture(table.read(topic(queue)));
    }

    @Override
    public CompletionStage<Void> clear(String queue) {
        table.clear(topic(queue));
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Set<String>> paused(Collection<String> queues) {
        return CompletableFuture.completedFuture(
                queues.stream().filter(queue -> table.paused(topic(queue))).collect(Collectors.toUnmodifiableSet()));
    }

    @Override
    public CompletionStage<Void> setPaused(String queue, boolean paused) {
        table.setPaused(topic(queue), paused);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Boolean> delete(String queue) {
        return CompletableFuture.completedFuture(table.delete(topic(queue)));
    }

    @Override
    public CompletionStage<Set<String>> queues() {
        return CompletableFuture.completedFuture(table.queues(namespace));
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            onClose.run();
        }
    }

    private Topic topic(String queue) {
        return new Topic(namespace, queue);
    }
}
