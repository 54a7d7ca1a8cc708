package dev.jono;

import java.time.Duration;
import java.util.List;

/**
 * Takes messages from queues and runs handlers, until it is stopped or its factory is closed. A message is acked when its
 * handler returns, and retried when the handler throws. A heartbeat extends the leases of the messages that it holds.
 * Thread-safe.
 *
 * <pre>{@code
 * try (Worker worker = jono.worker()
 *         .concurrency(4)
 *         .from(jono.queue("mails", String.class), (mail, delivery) -> System.out.println(mail))
 *         .start()) {
 *     System.in.read(); // works until a key is pressed
 * }
 * }</pre>
 */
public interface Worker extends AutoCloseable {
    /** The name that {@link WorkerBuilder#name} has set. Several workers can have the same one. */
    String name();

    /** The names of the queues that it serves, in the order in which they were added; each once. */
    List<String> queues();

    /** What it does now. */
    WorkerStatus status();

    /**
     * Stops the worker. It claims no more messages, gives back those that no handler has begun, and waits for the handlers
     * that run. When the time is over, it interrupts them and gives back the messages that they still hold. It returns when
     * all of that is stored. Messages that are given back are not counted as delivered. Idempotent. A handler that stops its
     * own worker is not waited for.
     *
     * @param timeout how long running handlers may take
     * @return whether all handlers ended in time
     */
    boolean stop(Duration timeout);

    /** {@link #stop} with a timeout of 30 s. */
    @Override
    void close();
}
