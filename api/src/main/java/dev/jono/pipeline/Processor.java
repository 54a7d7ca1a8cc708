package dev.jono.pipeline;

import dev.jono.Message;

/**
 * A stage's work on one message. What it throws means retry after the link's
 * growing delay, but for {@link dev.jono.RejectException} and {@link dev.jono.SnoozeException}, which mean what they mean in a worker's
 * handler.
 *
 * @param <T> the payload's type in the source queue
 */
@FunctionalInterface
public interface Processor<T> {
    /** Looks at a message and decides; runs on a thread of the pipeline, under a lease that is kept alive. */
    Outcome process(T payload, Message<T> message) throws Exception;
}
