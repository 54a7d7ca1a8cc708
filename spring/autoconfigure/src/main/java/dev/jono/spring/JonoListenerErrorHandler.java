package dev.jono.spring;

import dev.jono.Reservation;
import java.util.List;

/**
 * Decides what becomes of messages whose listener method has thrown. It is not called for {@link dev.jono.RejectException}, {@link
 * dev.jono.SnoozeException}, payloads that are not valid, and interrupts. Must be thread-safe.
 */
@FunctionalInterface
public interface JonoListenerErrorHandler {
    /**
     * Handles a failure, on the thread of the listener. It can settle the messages. When it returns, messages that are not settled
     * are acked. When it throws, they end as if the listener method had thrown that exception.
     *
     * @param failure what the method has thrown
     * @param deliveries the message, or those of the batch
     */
    void handle(Exception failure, List<? extends Reservation<?>> deliveries) throws Exception;
}
