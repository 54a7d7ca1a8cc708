package dev.jono;

import java.util.List;

/**
 * Handles several messages at once for a {@link Worker}. Each may settle itself; those that did not are retried after a
 * throw and acked after a return.
 *
 * @param <T> the payload's type
 */
@FunctionalInterface
public interface BatchHandler<T> {
    /**
     * Handles some messages, on a thread of the worker.
     *
     * @param batch one or more
     */
    void handle(List<Reservation<T>> batch) throws Exception;
}
