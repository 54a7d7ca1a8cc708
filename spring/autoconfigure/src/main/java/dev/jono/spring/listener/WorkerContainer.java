package dev.jono.spring.listener;

import dev.jono.QueueFactory;
import dev.jono.Worker;
import dev.jono.WorkerBuilder;
import dev.jono.WorkerStatus;
import dev.jono.spring.method.DeclarationException;
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
    /** Leaves room for the prefetch in an {@code int}. */
    private static final int MAX_CONCURRENCY = 1_000_000_000;

    private final QueueFactory jono;
    private final ListenerEndpoint<T> endpoint;
    private final ListenerSettings settings;

    WorkerContainer(QueueFactory jono, ListenerEndpoint<T> endpoint, ListenerSettings settings) {
        super(endpoint.id(), orDefault(settings.concurrency(), 1), orDefault(settings.autoStartup(), true));
        this.jono = jono;
        this.endpoint = endpoint;
        this.settings = settings;
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
        try {
            return builder().start();
        } catch (IllegalArgumentException refused) {
            throw new DeclarationException(
                    endpoint,
                    "its settings are refused: " + refused.getMessage(),
                    "Correct the settings of the listener.",
                    refused);
        }
    }

    private WorkerBuilder builder() {
        WorkerBuilder builder = jono.worker().name(endpoint.id()).prefetch(orDefault(settings.prefetch(), 0));
        concurrency(builder);
        if (settings.lease() != null) {
            builder.lease(settings.lease());
        }
        if (settings.maxRuntime() != null) {
            builder.maxRuntime(settings.maxRuntime());
        }
        for (String queue : endpoint.queues()) {
            if (endpoint.batchHandler() != null) {
                builder.fromBatch(endpoint.open(jono, queue), batch(), endpoint.batchHandler());
            } else {
                builder.from(endpoint.open(jono, queue), Objects.requireNonNull(endpoint.handler()));
            }
        }
        return builder;
    }

    /** The concurrency of a listener is that of its handler; the worker's counts messages. */
    private void concurrency(WorkerBuilder builder) {
        if (endpoint.batchHandler() == null) {
            builder.concurrency(concurrency());
        } else {
            builder.maxHandlers(concurrency())
                    .concurrency((int) Math.min(MAX_CONCURRENCY, (long) concurrency() * batch()));
        }
    }

    private int batch() {
        return orDefault(settings.batch(), 1);
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
