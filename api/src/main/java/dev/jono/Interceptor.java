package dev.jono;

import org.jspecify.annotations.Nullable;

/**
 * Around push and handle, for metrics, tracing, MDC, encryption. Every path passes it: blocking, async, lists, workers,
 * pipelines. Thread-safe; runs on the caller's or the worker's thread.
 */
public interface Interceptor {
    /**
     * Before a message is stored, or moved on by a pipeline with a payload that its processor has set; may change headers and
     * payload.
     *
     * @return the message to store
     * @throws RuntimeException any failure; the push, or the move, of this message fails with an {@link EncodingException}
     */
    default OutgoingMessage push(OutgoingMessage message) {
        return message;
    }

    /**
     * After the storage answered, or failed. What it throws is logged.
     *
     * @param result the result; null after a failure
     * @param failure why it was not, or not certainly, stored; null when it was
     */
    default void pushed(OutgoingMessage message, @Nullable PushResult result, @Nullable Throwable failure) {}

    /**
     * Before a message is decoded, in pop, reserve, browse and worker; may change the payload, as decryption does.
     *
     * @return the payload to decode
     * @throws RuntimeException any failure; the message counts as undecodable
     */
    default EncodedPayload receive(String queue, Headers headers, EncodedPayload payload) {
        return payload;
    }

    /**
     * Around a worker's or pipeline's handler.
     *
     * @param message the message; of a batch, the first
     * @param handling runs the rest; to be called once
     * @throws Exception what the handler threw; the worker deals with what this throws as if the handler had
     */
    default void handle(Message<?> message, Handling handling) throws Exception {
        handling.proceed();
    }

    /** The rest of the way to the handler. */
    @FunctionalInterface
    interface Handling {
        /** Runs it. */
        void proceed() throws Exception;
    }
}
