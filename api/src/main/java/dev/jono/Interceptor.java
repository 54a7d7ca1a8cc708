package dev.jono;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs around push, receive and handle: for metrics, tracing, logging contexts, encryption. All paths pass it: blocking and
 * async calls, lists, workers, pipelines. Runs on the thread of the caller or the handler. Must be thread-safe.
 *
 * <pre>{@code
 * Interceptor timing = new Interceptor() {
 *     @Override
 *     public void handle(Message<?> message, Handling handling) throws Exception {
 *         long begin = System.nanoTime();
 *         try {
 *             handling.proceed();
 *         } finally {
 *             System.out.println(message.queue() + " took " + (System.nanoTime() - begin) / 1_000_000 + " ms");
 *         }
 *     }
 * };
 * QueueFactory jono = QueueFactory.builder("memory:").interceptor(timing).connect();
 * }</pre>
 */
public interface Interceptor {
    /**
     * Called before a message is stored, and before a pipeline moves it with a new payload. May change headers and payload.
     *
     * @return the message to store
     * @throws RuntimeException any failure; then the push or the move of this message fails with {@link EncodingException}
     */
    default OutgoingMessage push(OutgoingMessage message) {
        return message;
    }

    /**
     * Called after a push was stored, or has failed. Exceptions that it throws are logged. If an interceptor fails, or the payload is
     * over the limit, it is called for the interceptors whose {@link #push} has returned.
     *
     * @param message the message that the last interceptor has returned, with its attributes
     * @param result the result; null after a failure
     * @param failure why the message was not, or perhaps not, stored; null when it was
     */
    default void pushed(OutgoingMessage message, @Nullable PushResult result, @Nullable Throwable failure) {}

    /**
     * Called before a message is decoded, by pop, reserve, browse and workers. May change the payload, for example decrypt it.
     *
     * @return the payload to decode
     * @throws RuntimeException any failure; then the message is treated as undecodable
     */
    default EncodedPayload receive(String queue, Headers headers, EncodedPayload payload) {
        return payload;
    }

    /**
     * Called around the handler of a worker or a pipeline, with all messages of its batch. By default calls {@link #handle} with the first
     * one.
     *
     * @param messages the messages that the handler gets, one or more; several only for a handler of batches
     * @param handling runs the next interceptor, or the handler; call it once
     * @throws Exception what the handler threw; the worker treats whatever this throws as a failure of the handler
     */
    default void handleAll(List<? extends Message<?>> messages, Handling handling) throws Exception {
        handle(messages.get(0), handling);
    }

    /**
     * Called around the handler of a worker or a pipeline, unless {@link #handleAll} is overridden.
     *
     * @param message the message; of a batch, the first one
     * @param handling runs the next interceptor, or the handler; call it once
     * @throws Exception what the handler threw; the worker treats whatever this throws as a failure of the handler
     */
    default void handle(Message<?> message, Handling handling) throws Exception {
        handling.proceed();
    }

    /** The next interceptor, or the handler. */
    @FunctionalInterface
    interface Handling {
        /** Runs it. */
        void proceed() throws Exception;
    }
}
