package dev.jono;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Sets up a {@link Worker}. Not thread-safe.
 *
 * <pre>{@code
 * MessageQueue<String> urgent = jono.queue("urgent", String.class);
 * MessageQueue<String> normal = jono.queue("normal", String.class);
 * Worker worker = jono.worker()
 *         .name("mailer")
 *         .concurrency(8)
 *         .maxRuntime(Duration.ofMinutes(5))
 *         .from(urgent, 3, (mail, delivery) -> System.out.println(mail))
 *         .from(normal, 1, (mail, delivery) -> System.out.println(mail))
 *         .start();
 * }</pre>
 */
public interface WorkerBuilder {
    /** The name of the worker, for log lines. Default: {@code worker}. */
    WorkerBuilder name(String name);

    /** The maximum number of messages, over all queues, that handlers work on at the same time; 1 or more. Default 1. */
    WorkerBuilder concurrency(int messages);

    /**
     * The maximum number of handlers, over all queues, that run at the same time; 1 or more. A batch has one handler, whatever its size.
     * While this many handlers run, the worker claims no messages beyond the prefetch. The others stay in their queues, and the next
     * batches are larger. The concurrency is a limit too. By default it is the only one: when messages come one by one, a batch handler
     * runs once for each.
     */
    WorkerBuilder maxHandlers(int handlers);

    /**
     * How many more messages are claimed in advance, before a handler is free for them; 0 or more. Default 0, so that other
     * processes can receive these messages.
     */
    WorkerBuilder prefetch(int messages);

    /** The length of the leases, which a heartbeat extends. Default: each queue's own. */
    WorkerBuilder lease(Duration lease);

    /**
     * How long a handler may run. Default 1 h. Until then the heartbeat extends the lease. Then the handler is interrupted,
     * and the message is retried when the handler has ended. A handler that does not end still counts towards the
     * concurrency; {@link WorkerStatus#overtime} counts it, and it is logged once with its stack. When the lease has ended,
     * other processes may receive its message; workers of this factory do not before the handler ends.
     */
    WorkerBuilder maxRuntime(Duration maxRuntime);

    /** Runs the handlers. Default: the factory's executor. It must not run a task on the thread that submits it. */
    WorkerBuilder executor(Executor executor);

    /** Serves a queue only while the queues that were added before it have no messages. Default: by weight. */
    WorkerBuilder strictOrder();

    /** Handles the messages of a queue, with weight 1. */
    default <T> WorkerBuilder from(MessageQueue<T> queue, Handler<T> handler) {
        return from(queue, 1, handler);
    }

    /**
     * Handles the messages of a queue.
     *
     * @param weight the share of this queue while several have messages; 1 or more
     */
    <T> WorkerBuilder from(MessageQueue<T> queue, int weight, Handler<T> handler);

    /**
     * Handles the messages of a queue in batches, with weight 1.
     *
     * @param max the maximum number of messages in a batch, 1 or more; the concurrency must not be smaller. Each message of a batch counts
     *     towards the concurrency
     */
    <T> WorkerBuilder fromBatch(MessageQueue<T> queue, int max, BatchHandler<T> handler);

    /**
     * Starts it.
     *
     * @throws IllegalStateException if it has no queue
     * @throws UnsupportedCapabilityException if the backend cannot reserve
     */
    Worker start();
}
