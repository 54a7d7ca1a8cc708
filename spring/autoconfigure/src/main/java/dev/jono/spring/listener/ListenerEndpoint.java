package dev.jono.spring.listener;

import dev.jono.BatchHandler;
import dev.jono.Handler;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A listener that is not started yet: queues, a handler for single messages or for batches, and settings. Methods with {@code
 * @JonoListener} become endpoints. Programs make them with {@link #of} or {@link #ofBatch}, and register them with {@link
 * ListenerEndpointRegistrar#register}, or as beans. Immutable.
 *
 * @param <T> the type of the payloads
 */
public final class ListenerEndpoint<T> {
    private final String id;
    private final List<String> queues;
    private final BiFunction<QueueFactory, String, MessageQueue<T>> opener;
    private final @Nullable Handler<T> handler;
    private final @Nullable BatchHandler<T> batchHandler;
    private final ListenerSettings settings;
    private final @Nullable String containerFactory;

    ListenerEndpoint(
            String id,
            List<String> queues,
            BiFunction<QueueFactory, String, MessageQueue<T>> opener,
            @Nullable Handler<T> handler,
            @Nullable BatchHandler<T> batchHandler,
            ListenerSettings settings,
            @Nullable String containerFactory) {
        this.id = Objects.requireNonNull(id, "id");
        this.queues = List.copyOf(queues);
        this.opener = opener;
        this.handler = handler;
        this.batchHandler = batchHandler;
        this.settings = settings;
        this.containerFactory = containerFactory;
        if (this.queues.isEmpty()) {
            throw new IllegalArgumentException("listener '" + id + "' has no queue");
        }
    }

    /** A listener of a queue of JSON payloads, one message at a time. */
    public static <T> ListenerEndpoint<T> of(String id, String queue, Class<T> payload, Handler<T> handler) {
        Objects.requireNonNull(handler, "handler");
        return new ListenerEndpoint<>(
                id,
                List.of(queue),
                (jono, name) -> jono.queue(name, payload),
                handler,
                null,
                ListenerSettings.none(),
                null);
    }

    /** A listener of a queue of JSON payloads, in batches. */
    public static <T> ListenerEndpoint<T> ofBatch(String id, String queue, Class<T> payload, BatchHandler<T> handler) {
        Objects.requireNonNull(handler, "handler");
        return new ListenerEndpoint<>(
                id,
                List.of(queue),
                (jono, name) -> jono.queue(name, payload),
                null,
                handler,
                ListenerSettings.none(),
                null);
    }

    /** The same listener with settings. */
    public ListenerEndpoint<T> settings(ListenerSettings value) {
        return new ListenerEndpoint<>(id, queues, opener, handler, batchHandler, value, containerFactory);
    }

    /** The same listener, whose container is made by the bean with this name. */
    public ListenerEndpoint<T> containerFactory(String beanName) {
        return new ListenerEndpoint<>(id, queues, opener, handler, batchHandler, settings, beanName);
    }

    /** The id. */
    public String id() {
        return id;
    }

    /** The names of the queues. */
    public List<String> queues() {
        return queues;
    }

    /** The settings; those that are not set come from the container factory. */
    public ListenerSettings settings() {
        return settings;
    }

    /** The name of the bean that makes the container; null for the default. */
    public @Nullable String containerFactory() {
        return containerFactory;
    }

    /** Opens one of the queues. */
    public MessageQueue<T> open(QueueFactory jono, String queue) {
        return opener.apply(jono, queue);
    }

    /** The handler of single messages; null if the listener takes batches. */
    public @Nullable Handler<T> handler() {
        return handler;
    }

    /** The handler of batches; null if the listener takes single messages. */
    public @Nullable BatchHandler<T> batchHandler() {
        return batchHandler;
    }

    @Override
    public String toString() {
        return "listener '" + id + "' of " + String.join(", ", queues);
    }
}
