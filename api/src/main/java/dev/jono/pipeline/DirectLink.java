package dev.jono.pipeline;

import dev.jono.MessageQueue;
import java.util.List;

/** A link with one target. */
public final class DirectLink implements Link {
    private final MessageQueue<?> source;
    private final MessageQueue<?> target;

    DirectLink(MessageQueue<?> source, MessageQueue<?> target) {
        this.source = source;
        this.target = target;
    }

    @Override
    public String name() {
        return source.name() + "->" + target.name();
    }

    @Override
    public MessageQueue<?> source() {
        return source;
    }

    @Override
    public List<MessageQueue<?>> targets() {
        return List.of(target);
    }
}
