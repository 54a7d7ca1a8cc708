package dev.jono;

import java.lang.reflect.Type;

/**
 * Makes the codecs of queues that are opened with a class or a {@link TypeRef}. Must be thread-safe.
 *
 * @see QueueFactoryBuilder#codecs
 */
@FunctionalInterface
public interface CodecFactory {
    /**
     * Makes a codec for a type.
     *
     * @param type the type of the payloads: a class, or the type that a {@link TypeRef} names
     * @return a codec for payloads of this type
     * @throws IllegalArgumentException if there is no codec for the type; the queue is then not opened
     */
    Codec<?> codec(Type type);
}
