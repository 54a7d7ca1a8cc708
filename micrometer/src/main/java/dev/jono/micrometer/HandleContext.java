package dev.jono.micrometer;

import dev.jono.Message;
import io.micrometer.observation.transport.ReceiverContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The handling of one message or of a batch, as handlers of observations see it. The carrier of the trace is the message. A batch of
 * several messages has no carrier, because each message has a trace of its own; {@link dev.jono.micrometer.tracing.BatchLinks} links
 * them.
 */
public final class HandleContext extends ReceiverContext<HandleContext> {
    private final List<Message<?>> messages;

    HandleContext(List<? extends Message<?>> messages) {
        super((carrier, key) -> carrier.header(key));
        this.messages = List.copyOf(messages);
        setCarrier(this);
    }

    private @Nullable String header(String name) {
        return isBatch() ? null : messages.get(0).headers().string(name);
    }

    /** The messages, one or more. */
    public List<Message<?>> messages() {
        return messages;
    }

    /** Whether there are several messages. */
    public boolean isBatch() {
        return messages.size() > 1;
    }

    /** The name of the queue. */
    public String queue() {
        return messages.get(0).queue();
    }
}
