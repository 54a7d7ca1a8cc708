package dev.jono;

import dev.jono.internal.Codecs;
import java.util.function.Function;

/**
 * Turns payloads into bytes and back. Thread-safe. Runs on the caller's thread, or a worker's, never on the engine's;
 * what it throws affects its own message only.
 *
 * @param <T> the payload's type
 */
public interface Codec<T> {
    /**
     * Encodes a payload, and says of which kind the bytes are.
     *
     * @param payload never null
     * @param headers the message's headers
     * @throws Exception any failure; the push fails with it as the cause, and nothing is stored
     */
    EncodedPayload encode(T payload, Headers headers) throws Exception;

    /**
     * Decodes a payload. It may be of another kind than this codec writes: another client wrote the message.
     *
     * @throws Exception any failure: the message counts as undecodable
     */
    T decode(EncodedPayload payload, Headers headers) throws Exception;

    /**
     * This codec, seen as one for another type.
     *
     * @param to what to store for a payload
     * @param from the payload for what was stored
     */
    default <U> Codec<U> map(Function<? super U, ? extends T> to, Function<? super T, ? extends U> from) {
        return Codecs.mapped(this, to, from);
    }

    /**
     * This codec with a step over its bytes, such as compression or encryption; the result is of kind {@link
     * PayloadKind#BYTES}.
     */
    default Codec<T> through(Function<byte[], byte[]> outward, Function<byte[], byte[]> inward) {
        return Codecs.through(this, outward, inward);
    }

    /**
     * JSON by Jackson: {@code java.time} as ISO-8601, {@code Optional}, unknown properties ignored, decimals exact,
     * polymorphic type names never obeyed, Jackson's default read limits on.
     */
    static <T> Codec<T> json(Class<T> type) {
        return Codecs.json(type);
    }

    /** JSON for a generic type. */
    static <T> Codec<T> json(TypeRef<T> type) {
        return Codecs.json(type.type());
    }

    /** Bytes as they are. */
    static Codec<byte[]> bytes() {
        return Codecs.bytes();
    }

    /** Text as UTF-8; reads a JSON string as well. */
    static Codec<String> string() {
        return Codecs.string();
    }

    /** Payloads as they are stored, whatever their kind: for tools, and for queues of mixed types. */
    static Codec<EncodedPayload> raw() {
        return Codecs.raw();
    }
}
