package dev.jono.spi;

import dev.jono.BatchHandler;
import dev.jono.MessageQueue;
import dev.jono.WorkerBuilder;
import java.util.function.BinaryOperator;

/** A builder of workers, for modules that build on Jono. Not thread-safe. */
public interface ConnectedWorkerBuilder extends WorkerBuilder {
    /**
     * Handles the messages of a queue.
     *
     * @param weight the share of this queue while several have messages; 1 or more
     * @param max the maximum number of messages in a batch, 1 or more; the concurrency must not be smaller
     * @param gate limits the claims from this queue; several queues can share it
     */
    <T> ConnectedWorkerBuilder from(
            MessageQueue<T> queue, int weight, int max, ClaimGate gate, BatchHandler<T> handler);

    /** Sets how the log lines about failed deliveries name a message, by the name of its queue and its id; by default both. */
    ConnectedWorkerBuilder messageNames(BinaryOperator<String> names);
}
