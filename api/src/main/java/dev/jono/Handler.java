package dev.jono;

/**
 * Handles one message for a {@link Worker}. Return means ack, unless the handler settled the delivery itself; a throw
 * means retry with the queue's backoff. {@link RejectException} sends it to the dead letter, {@link SnoozeException}
 * back uncounted. Is interrupted when the lease is lost or the worker is forced to stop.
 *
 * @param <T> the payload's type
 */
@FunctionalInterface
public interface Handler<T> {
    /**
     * Handles one message, on a thread of the worker.
     *
     * @param payload the payload
     * @param delivery the message and its lease, which the worker keeps alive
     */
    void handle(T payload, Reservation<T> delivery) throws Exception;
}
