package dev.jono.pipeline;

import dev.jono.MessageQueue;
import java.util.List;

/** A link without a target. The messages that it has processed are done. */
public final class Sink implements Link {
    private final MessageQueue<?> source;

    Sink(MessageQueue<?> source) {
        this.source = source;
    }

    @Override
    public String name() {
        return source.name() + "->(sink)";
    }

    @Override
    public MessageQueue<?> source() {
        return source;
    }

    @Override
    public List<MessageQueue<?>> targets() {
        return List.of();
    }
}
