package dev.jono;

/**
 * Handles one message for a {@link Worker}. When the handler returns, the worker acks the message, unless the handler has
 * settled it. When the handler throws {@link RejectException}, the worker moves the message to the dead-letter queue.
 * {@link SnoozeException} gives the message back uncounted. Any other exception means a retry with the queue's backoff.
 *
 * <p>The thread is interrupted when the lease is lost, when the handler runs longer than the worker's {@code maxRuntime},
 * or when the worker is forced to stop.
 *
 * @param <T> the type of the payload
 */
@FunctionalInterface
public interface Handler<T> {
    /**
     * Handles one message, on a thread of the worker.
     *
     * @param payload never null
     * @param delivery the message and its lease, which the worker extends meanwhile
     */
    void handle(T payload, Reservation<T> delivery) throws Exception;
}
