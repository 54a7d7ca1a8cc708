package dev.jono.pipeline;

import dev.jono.MessageQueue;
import java.util.List;
import java.util.stream.Collectors;

/** A link with several targets. Its processor chooses one by {@link Outcome#to}; {@link Outcome#next} means the first. */
public final class ChoiceLink implements Link {
    private final MessageQueue<?> source;
    private final List<MessageQueue<?>> targets;

    ChoiceLink(MessageQueue<?> source, List<? extends MessageQueue<?>> targets) {
        this.source = source;
        this.targets = List.copyOf(targets);
    }

    @Override
    public String name() {
        return source.name() + "->{" + targets.stream().map(MessageQueue::name).collect(Collectors.joining(",")) + "}";
    }

    @Override
    public MessageQueue<?> source() {
        return source;
    }

    @Override
    public List<MessageQueue<?>> targets() {
        return targets;
    }
}
