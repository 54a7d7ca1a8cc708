package dev.jono;

import dev.jono.internal.BuiltInCodecs;
import dev.jono.json.JsonCodecs;
import java.util.function.Function;

/**
 * Encodes payloads as bytes, and decodes them. Must be thread-safe. Runs on the thread of the caller or of a worker,
 * never on a thread of the engine. An exception affects only the message concerned.
 *
 * @param <T> the type of the payload
 */
public interface Codec<T> {
    /**
     * Encodes a payload, and says of which kind the bytes are.
     *
     * @param payload never null
     * @param headers the headers of the message
     * @return the bytes and their kind, never null
     * @throws Exception any failure; the push fails with {@link EncodingException}, which has it as its cause, and
     *     nothing is stored
     */
    EncodedPayload encode(T payload, Headers headers) throws Exception;

    /**
     * Decodes a payload. Its kind may differ from the kind that this codec writes, because another client may have
     * written the message.
     *
     * @return the payload, never null
     * @throws Exception any failure; the message is then treated as {@link UndecodableException} says
     */
    T decode(EncodedPayload payload, Headers headers) throws Exception;

    /**
     * Returns a codec for another type, which converts payloads to and from the type of this codec.
     *
     * @param to converts a payload to what this codec encodes
     * @param from converts what this codec has decoded to a payload
     */
    default <U> Codec<U> map(Function<? super U, ? extends T> to, Function<? super T, ? extends U> from) {
        return BuiltInCodecs.mapped(this, to, from);
    }

    /**
     * Returns a codec that also converts the encoded bytes, for example to compress or encrypt them. Its payloads are of
     * kind {@link PayloadKind#BYTES}.
     *
     * @param outward converts the bytes that this codec has encoded
     * @param inward reverses {@code outward}
     */
    default Codec<T> through(Function<byte[], byte[]> outward, Function<byte[], byte[]> inward) {
        return BuiltInCodecs.through(this, outward, inward);
    }

    /**
     * Returns a JSON codec, based on Jackson. It writes {@code java.time} as ISO-8601 with offset and zone, supports
     * {@code Optional}, ignores unknown properties, keeps decimals exact, and never follows names of classes in the JSON.
     *
     * <p>The codec reads back what it has written, so a push fails if no consumer could decode its payload. It refuses a
     * type that Jackson cannot construct, more than {@value JsonCodecs#MAX_DEPTH} nested objects and arrays, numbers of
     * more than 1,000 digits, and names of more than 50,000 characters.
     *
     * <p>A payload may be an instance of a subclass, or contain one. It is decoded as the subclass if the declared type
     * has {@code @JsonTypeInfo}, and otherwise as the declared type.
     *
     * <p>{@link JsonCodecs} makes JSON codecs with other settings and modules.
     *
     * @throws IllegalArgumentException if Jackson cannot handle the type
     */
    static <T> Codec<T> json(Class<T> type) {
        return JsonCodecs.standard().codec(type);
    }

    /** Returns a JSON codec for a generic type; see {@link #json(Class)}. */
    static <T> Codec<T> json(TypeRef<T> type) {
        return JsonCodecs.standard().codec(type);
    }

    /** Returns a codec that stores byte arrays unchanged. */
    static Codec<byte[]> bytes() {
        return BuiltInCodecs.bytes();
    }

    /** Returns a codec that stores text as UTF-8. It also decodes a JSON string. */
    static Codec<String> string() {
        return BuiltInCodecs.string();
    }

    /** Returns a codec that hands out payloads as they are stored, of any kind. For tools, and for queues of mixed types. */
    static Codec<EncodedPayload> raw() {
        return BuiltInCodecs.raw();
    }
}
