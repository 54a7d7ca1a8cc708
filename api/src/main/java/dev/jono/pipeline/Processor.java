package dev.jono.pipeline;

import dev.jono.Message;

/**
 * Processes one message in a link of a pipeline, and decides what happens to it. Called concurrently, up to
 * the link's concurrency.
 *
 * <p>When the processor throws {@link dev.jono.RejectException}, the message moves to the dead-letter queue. {@link
 * dev.jono.SnoozeException} gives the message back uncounted. Any other exception means a retry after the link's delay.
 *
 * @param <T> the type of the payload in the source queue
 */
@FunctionalInterface
public interface Processor<T> {
    /**
     * Processes one message, on a thread of the pipeline. The pipeline extends the lease of the message meanwhile.
     *
     * @param payload never null
     * @return what to do with the message, never null
     */
    Outcome process(T payload, Message<T> message) throws Exception;
}
