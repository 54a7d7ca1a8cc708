package dev.jono.spring.method;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.TypeRef;
import java.lang.reflect.Type;

/** Opens queues for types that are known at run time. */
public final class TypedQueues {
    private TypedQueues() {}

    /**
     * Opens a queue: of bytes for {@code byte[]}, of encoded payloads for {@link EncodedPayload}, otherwise of payloads by the codecs of
     * the factory.
     */
    public static MessageQueue<?> open(QueueFactory jono, String name, Type type, QueueOptions options) {
        if (type == byte[].class) {
            return jono.queue(name, Codec.bytes(), options);
        }
        return type == EncodedPayload.class
                ? jono.queue(name, Codec.raw(), options)
                : jono.queue(name, TypeRef.of(type), options);
    }
}
