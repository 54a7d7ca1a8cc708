package dev.jono.pipeline;

import dev.jono.MessageQueue;
import java.util.List;

/**
 * A stage between queues: takes messages from a source, asks a processor, and moves them on. {@link DirectLink} has one
 * target, {@link ChoiceLink} several, {@link Sink} none.
 */
public sealed interface Link permits DirectLink, ChoiceLink, Sink {
    /** A name that shows where it leads: {@code a->b}, {@code a->{b,c}}, {@code a->(sink)}. */
    String name();

    /** Where messages come from. */
    MessageQueue<?> source();

    /** Where they may go; empty for a sink. */
    List<MessageQueue<?>> targets();
}
