package dev.jono.spring.listener;

import dev.jono.QueueFactory;
import dev.jono.Worker;
import dev.jono.WorkerBuilder;
import dev.jono.WorkerStatus;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs an endpoint with a worker.
 *
 * @param <T> the type of the payloads
 */
final class WorkerContainer<T> extends AbstractContainer<Worker> {
    private final QueueFactory jono;
    private final ListenerEndpoint<T> endpoint;
    private final ListenerSettings settings;

    WorkerContainer(QueueFactory jono, ListenerEndpoint<T> endpoint, ListenerSettings settings) {
        super(endpoint.id(), concurrency(endpoint, settings), orDefault(settings.autoStartup(), true));
        this.jono = jono;
        this.endpoint = endpoint;
        this.settings = settings;
    }

    /** A batch counts with each of its messages, so there must be room for one at least. */
    private static int concurrency(ListenerEndpoint<?> endpoint, ListenerSettings settings) {
        int concurrency = orDefault(settings.concurrency(), 1);
        return endpoint.batchHandler() == null ? concurrency : Math.max(concurrency, orDefault(settings.batch(), 1));
    }

    private static <V> V orDefault(@Nullable V value, V byDefault) {
        return value != null ? value : byDefault;
    }

    @Override
    public List<String> sources() {
        return endpoint.queues();
    }

    @Override
    protected Worker startWorker() {
        WorkerBuilder builder = jono.worker()
                .name(endpoint.id())
                .concurrency(concurrency())
                .prefetch(orDefault(settings.prefetch(), 0));
        if (settings.lease() != null) {
            builder.lease(settings.lease());
        }
        if (settings.maxRuntime() != null) {
            builder.maxRuntime(settings.maxRuntime());
        }
        for (String queue : endpoint.queues()) {
            if (endpoint.batchHandler() != null) {
                builder.fromBatch(endpoint.open(jono, queue), orDefault(settings.batch(), 1), endpoint.batchHandler());
            } else {
                builder.from(endpoint.open(jono, queue), Objects.requireNonNull(endpoint.handler()));
            }
        }
        return builder.start();
    }

    @Override
    protected boolean stopWorker(Worker running, Duration timeout) {
        return running.stop(timeout);
    }

    @Override
    protected WorkerStatus statusOf(Worker running) {
        return running.status();
    }
}
