package dev.jono.pipeline;

import dev.jono.Message;

/**
 * A stage's work on one message. An exception means retry after the link's growing delay.
 *
 * @param <T> the payload's type in the source queue
 */
@FunctionalInterface
public interface Processor<T> {
    /** Looks at a message and decides; runs on a thread of the pipeline, under a lease that is kept alive. */
    Outcome process(T payload, Message<T> message) throws Exception;
}
