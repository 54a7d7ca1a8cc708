package dev.jono;

import java.time.Duration;
import java.util.concurrent.Executor;

/** Sets up a {@link Worker}. Not thread-safe. */
public interface WorkerBuilder {
    /** Its name, for logs and thread names. */
    WorkerBuilder name(String name);

    /** How many messages, over all its queues, are handled at once. Default 1. */
    WorkerBuilder concurrency(int messages);

    /** How many messages are claimed beyond those being handled. Default 0: other processes may take them. */
    WorkerBuilder prefetch(int messages);

    /** Length of the leases, which a heartbeat renews; default the queue's. */
    WorkerBuilder lease(Duration lease);

    /**
     * How long a handler may run. Until then its lease is kept alive; then the handler is interrupted and the message
     * retried. Default 1 h. A handler that does not end keeps its place of the worker, is counted in {@link
     * WorkerStatus#overtime} and logged once with its stack. Its message may be delivered again by other processes when the
     * lease has ended; no worker of this factory is handed it before the handler ends.
     */
    WorkerBuilder maxRuntime(Duration maxRuntime);

    /** Where handlers run; unless given, the factory's executor for users' code. Must not run tasks on the submitting thread. */
    WorkerBuilder executor(Executor executor);

    /** Serves the queues strictly in the order in which they were added; default by weight. */
    WorkerBuilder strictOrder();

    /** Handles the messages of a queue, with weight 1. */
    default <T> WorkerBuilder from(MessageQueue<T> queue, Handler<T> handler) {
        return from(queue, 1, handler);
    }

    /**
     * Handles the messages of a queue.
     *
     * @param weight its share of the worker while several queues have messages, 1 or more
     */
    <T> WorkerBuilder from(MessageQueue<T> queue, int weight, Handler<T> handler);

    /**
     * Handles the messages of a queue in batches, with weight 1.
     *
     * @param max the most messages in a batch; it counts as that many towards the concurrency, which must not be smaller
     */
    <T> WorkerBuilder fromBatch(MessageQueue<T> queue, int max, BatchHandler<T> handler);

    /**
     * Starts it.
     *
     * @throws IllegalStateException if it has no queue
     * @throws UnsupportedCapabilityException if a queue cannot reserve
     */
    Worker start();
}
