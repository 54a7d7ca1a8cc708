package dev.jono.micrometer;

import dev.jono.OutgoingMessage;
import dev.jono.PushResult;
import io.micrometer.observation.transport.SenderContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The push of one message, as handlers of observations see it. The carrier of the trace is the context itself: what a tracer sets
 * becomes a header of the message. Not thread-safe.
 */
public final class PushContext extends SenderContext<PushContext> {
    private static final Logger LOG = LoggerFactory.getLogger(PushContext.class);

    private OutgoingMessage message;
    private volatile @Nullable PushResult result;

    PushContext(OutgoingMessage message) {
        super((carrier, key, value) -> Objects.requireNonNull(carrier).setHeader(key, value));
        this.message = message;
        setCarrier(this);
    }

    /** A name that headers cannot have, or a reserved one, is left out: a trace must not fail a push. */
    private void setHeader(String name, String value) {
        try {
            message = message.header(name, value);
        } catch (IllegalArgumentException notAllowed) {
            LOG.debug("a trace cannot be continued with the header '{}'", name, notAllowed);
        }
    }

    /** The message, with the headers that continue the trace. */
    public OutgoingMessage message() {
        return message;
    }

    /** The result; null until the message is stored, and after a failure. */
    public @Nullable PushResult result() {
        return result;
    }

    void result(@Nullable PushResult value) {
        this.result = value;
    }
}
