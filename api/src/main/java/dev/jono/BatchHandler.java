package dev.jono;

import java.util.List;

/**
 * Handles several messages at once for a {@link Worker}. The handler may settle each message. When it returns, the worker
 * acks the messages that are not settled; when it throws, the worker ends them as for a {@link Handler} that throws.
 *
 * @param <T> the type of the payload
 */
@FunctionalInterface
public interface BatchHandler<T> {
    /**
     * Handles some messages, on a thread of the worker.
     *
     * @param batch one or more messages with their leases, which the worker extends meanwhile
     */
    void handle(List<Reservation<T>> batch) throws Exception;
}
