package dev.jono;

import java.lang.reflect.Type;

/**
 * Makes the codec of a type, for queues that are opened with a class or a {@link TypeRef}. Thread-safe.
 *
 * @see QueueFactoryBuilder#codecs
 */
@FunctionalInterface
public interface CodecFactory {
    /**
     * Makes a codec.
     *
     * @param type the payloads' type: a class, or what a {@link TypeRef} names
     * @return a codec of payloads of this type
     * @throws IllegalArgumentException if there can be none; the queue is not opened
     */
    Codec<?> codec(Type type);
}
