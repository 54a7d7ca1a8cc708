package dev.jono.pipeline;

import dev.jono.MessageQueue;
import java.util.List;

/**
 * A step of a pipeline. It takes messages from a source queue, calls a processor, and moves them to a target queue.
 * {@link DirectLink} has one target, {@link ChoiceLink} has several, {@link Sink} has none.
 */
public sealed interface Link permits DirectLink, ChoiceLink, Sink {
    /** The name, which shows the source and the targets: {@code a->b}, {@code a->{b,c}}, {@code a->(sink)}. */
    String name();

    /** The queue from which messages come. */
    MessageQueue<?> source();

    /** The queues to which messages may move; empty for a sink. */
    List<MessageQueue<?>> targets();
}
