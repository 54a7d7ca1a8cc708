package dev.jono;

import dev.jono.pipeline.PipelineBuilder;
import java.util.List;
import java.util.Map;

/**
 * Opens queues, workers and pipelines on one storage. A factory holds connections and threads: make one per process and
 * storage. Thread-safe.
 *
 * <pre>{@code
 * try (QueueFactory jono = QueueFactory.connect("sqlite:/var/lib/shop/queues.db")) {
 *     MessageQueue<Order> orders = jono.queue("orders", Order.class);
 *     orders.push(order);
 * }
 * }</pre>
 */
public interface QueueFactory extends AutoCloseable {
    /**
     * Connects with the defaults.
     *
     * @param url the name of a backend, a colon, and the driver's own URI ({@code sqlite:/path/to/file.db}, {@code
     *     memory:})
     * @throws ConfigurationException if the URL is wrong, or names a backend that is not on the class path
     * @throws StorageException if the storage cannot be reached or used
     */
    static QueueFactory connect(String url) {
        return builder(url).connect();
    }

    /** A builder, for settings other than the defaults. */
    static QueueFactoryBuilder builder(String url) {
        return new QueueFactoryBuilder(url);
    }

    /** The backends on the class path, by name. */
    static List<BackendInfo> backends() {
        return dev.jono.internal.Plugins.describeBackends();
    }

    /**
     * A queue of JSON payloads. Creates nothing in the storage before its first use. Each call returns a new object.
     *
     * @throws IllegalArgumentException if the name is not allowed: 1 to 200 letters, digits, or one of {@code _-.:{}@/+~#=}
     */
    default <T> MessageQueue<T> queue(String name, Class<T> type) {
        return queue(name, type, QueueOptions.none());
    }

    /** A queue of JSON payloads, with options. */
    <T> MessageQueue<T> queue(String name, Class<T> type, QueueOptions options);

    /** A queue of JSON payloads of a generic type. */
    default <T> MessageQueue<T> queue(String name, TypeRef<T> type) {
        return queue(name, type, QueueOptions.none());
    }

    /** A queue of JSON payloads of a generic type, with options. */
    <T> MessageQueue<T> queue(String name, TypeRef<T> type, QueueOptions options);

    /** A queue of payloads by a codec. */
    default <T> MessageQueue<T> queue(String name, Codec<T> codec) {
        return queue(name, codec, QueueOptions.none());
    }

    /** A queue of payloads by a codec, with options. */
    <T> MessageQueue<T> queue(String name, Codec<T> codec, QueueOptions options);

    /** A builder of a worker. */
    WorkerBuilder worker();

    /**
     * The workers of this factory that have not stopped, in the order in which they were started. Those of pipelines and of job
     * runners are among them.
     */
    List<Worker> workers();

    /** A builder of a pipeline. */
    default PipelineBuilder pipeline(String name) {
        return new PipelineBuilder(name, this::worker);
    }

    /** The names of the queues that the storage knows, sorted. */
    List<String> queues();

    /**
     * How many messages each queue holds that the storage knows, and how old the oldest is, by the name of the queue, sorted. The queues are
     * read together, up to twenty at a time. Each may be counted at a moment of its own.
     */
    Map<String, QueueCounts> counts();

    /** The dead-letter queue of the factory's defaults. Its payloads are of mixed types, so they stay encoded. */
    MessageQueue<EncodedPayload> deadLetters();

    /** The type of the backend, such as {@code memory}. */
    String backend();

    /**
     * Closes the factory. Workers and pipelines that still run are stopped, as by {@link Worker#stop} with the operation
     * timeout. Then all waits end, pending calls complete as far as the operation timeout allows, messages that were read
     * ahead go back, the stats are stored, and the connections that the factory opened are closed. Idempotent.
     *
     * <p>To give handlers more or less time, stop the workers before. A handler that closes its own factory is not waited
     * for, and its message is given back.
     */
    @Override
    void close();
}
