package dev.jono;

import dev.jono.internal.BuiltInCodecs;
import dev.jono.json.JsonCodecs;
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
        return BuiltInCodecs.mapped(this, to, from);
    }

    /**
     * This codec with a step over its bytes, such as compression or encryption; the result is of kind {@link
     * PayloadKind#BYTES}.
     */
    default Codec<T> through(Function<byte[], byte[]> outward, Function<byte[], byte[]> inward) {
        return BuiltInCodecs.through(this, outward, inward);
    }

    /**
     * JSON by Jackson: {@code java.time} as ISO-8601 with offset and zone, {@code Optional}, unknown properties ignored, decimals
     * exact, type names of classes never obeyed. What it writes it has read once, so a push is refused where nobody could
     * decode it: a type that Jackson cannot construct, more than {@value JsonCodecs#MAX_DEPTH} objects and arrays inside one another,
     * numbers of more than 1,000 digits, names of more than 50,000 characters. Of a payload that is a subclass of the type,
     * or holds one, the subclass comes back where the type has {@code @JsonTypeInfo}, else the type itself.
     *
     * <p>{@link JsonCodecs} makes JSON codecs with other settings and modules.
     *
     * @throws IllegalArgumentException if Jackson cannot make sense of the type
     */
    static <T> Codec<T> json(Class<T> type) {
        return JsonCodecs.standard().codec(type);
    }

    /** JSON for a generic type; see {@link #json(Class)}. */
    static <T> Codec<T> json(TypeRef<T> type) {
        return JsonCodecs.standard().codec(type);
    }

    /** Bytes as they are. */
    static Codec<byte[]> bytes() {
        return BuiltInCodecs.bytes();
    }

    /** Text as UTF-8; reads a JSON string as well. */
    static Codec<String> string() {
        return BuiltInCodecs.string();
    }

    /** Payloads as they are stored, whatever their kind: for tools, and for queues of mixed types. */
    static Codec<EncodedPayload> raw() {
        return BuiltInCodecs.raw();
    }
}
