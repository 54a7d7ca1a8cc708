package dev.jono.internal.core;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Headers;
import dev.jono.Interceptor;
import dev.jono.OutgoingMessage;
import dev.jono.PayloadTooLargeException;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import dev.jono.UndecodableException;
import dev.jono.internal.log.FailureText;
import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.spi.Due;
import dev.jono.spi.NewMessage;
import dev.jono.spi.StoredMessage;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes payloads, with the codec of the queue and the interceptors of the factory. Called on the threads of
 * callers and handlers, with no lock held. Thread-safe if the codec and the interceptors are.
 */
public final class PayloadCoder<T> {
    private static final Log LOG = Log.named("dev.jono");

    private final EngineContext context;
    private final String queue;
    private final Codec<T> codec;
    private final long maxPayloadBytes;

    public PayloadCoder(EngineContext context, String queue, Codec<T> codec, long maxPayloadBytes) {
        this.context = context;
        this.queue = queue;
        this.codec = codec;
        this.maxPayloadBytes = Math.min(maxPayloadBytes, context.traits.maxPayloadBytes());
    }

    /** Refuses options that the backend cannot serve. */
    public void checkOptions(PushOptions options) {
        if (!options.delay().isZero() || options.dueAt().isPresent()) {
            context.require(Capability.SCHEDULE, "delayed push", queue);
        }
        if (options.unique().isPresent()) {
            context.require(Capability.DEDUPLICATE, "unique push", queue);
        }
    }

    /**
     * An encoded message.
     *
     * @param outgoing as interceptors see it
     * @param message as the storage gets it
     */
    public record Prepared(OutgoingMessage outgoing, NewMessage message) {}

    /** The message to store for a payload. */
    public Prepared prepare(T payload, PushOptions options) {
        checkOptions(options);
        OutgoingMessage outgoing = outgoing(payload, options.headers(), null);
        NewMessage message = NewMessage.builder()
                .payload(outgoing.payload())
                .headers(outgoing.headers())
                .tries(options.tries())
                .unique(options.unique().orElse(null))
                .due(options.dueAt()
                        .map(Due::at)
                        .orElseGet(() -> Due.in(options.delay().toMillis())))
                .build();
        return new Prepared(outgoing, message);
    }

    /**
     * A payload, encoded and changed by the interceptors.
     *
     * @param id the id of the message; null if it has none yet
     */
    public OutgoingMessage outgoing(T payload, Headers headers, @Nullable String id) {
        OutgoingMessage outgoing = OutgoingMessage.of(queue, encode(payload, headers), headers);
        int passed = 0;
        try {
            for (Interceptor interceptor : context.interceptors) {
                outgoing = intercepted(interceptor, outgoing);
                passed++;
            }
            requireSize(outgoing.payload(), id);
            return outgoing;
        } catch (EncodingException | PayloadTooLargeException refusal) {
            pushed(context.interceptors.subList(0, passed), outgoing, null, refusal);
            throw refusal;
        }
    }

    private EncodedPayload encode(T payload, Headers headers) {
        try {
            return Objects.requireNonNull(codec.encode(payload, headers), "the codec returned null");
        } catch (Throwable failure) {
            throw encodingException("a payload of " + payload.getClass().getName() + " cannot be encoded", failure);
        }
    }

    private OutgoingMessage intercepted(Interceptor interceptor, OutgoingMessage outgoing) {
        try {
            return Objects.requireNonNull(interceptor.push(outgoing), "the interceptor returned null");
        } catch (Throwable failure) {
            throw encodingException("interceptor " + interceptor.getClass().getName() + " failed", failure);
        }
    }

    private EncodingException encodingException(String what, Throwable failure) {
        return new EncodingException(
                "push to queue '" + queue + "': " + what + ": " + FailureText.message(failure), queue, null, failure);
    }

    private void requireSize(EncodedPayload payload, @Nullable String id) {
        if (payload.size() > maxPayloadBytes) {
            throw new PayloadTooLargeException(
                    "payload of " + payload.size() + " bytes for queue '" + queue + "' is over the limit of "
                            + maxPayloadBytes + " bytes, and was not stored: keep large data elsewhere and push a"
                            + " reference"
                            + (maxPayloadBytes < context.traits.maxPayloadBytes()
                                    ? ", or raise the queue's maxPayloadBytes"
                                    : ""),
                    queue,
                    id,
                    null);
        }
    }

    /** Reports the outcome of a push or a move to the interceptors. */
    public void pushed(OutgoingMessage outgoing, @Nullable PushResult result, @Nullable Throwable failure) {
        pushed(context.interceptors, outgoing, result, failure);
    }

    private void pushed(
            List<Interceptor> interceptors,
            OutgoingMessage outgoing,
            @Nullable PushResult result,
            @Nullable Throwable failure) {
        for (Interceptor interceptor : interceptors) {
            try {
                interceptor.pushed(outgoing, result, failure);
            } catch (Throwable broken) {
                LOG.warn(
                        "interceptor {} failed after a push to queue '{}'",
                        interceptor.getClass().getName(),
                        queue,
                        broken);
            }
        }
    }

    /**
     * Decodes a message.
     *
     * @throws UndecodableException whatever fails, also in an interceptor
     */
    public T decode(StoredMessage message) {
        try {
            if (message.fault() != null) {
                throw new IllegalArgumentException(message.fault());
            }
            EncodedPayload payload = message.payload();
            List<Interceptor> interceptors = context.interceptors;
            for (int i = interceptors.size() - 1; i >= 0; i--) {
                payload = interceptors.get(i).receive(queue, message.headers(), payload);
            }
            T decoded = codec.decode(payload, message.headers());
            if (decoded == null) {
                throw new IllegalArgumentException("the codec returned null");
            }
            return decoded;
        } catch (Throwable failure) {
            throw new UndecodableException(
                    queue, message.id(), message.payload(), FailureText.message(failure), failure);
        }
    }
}
