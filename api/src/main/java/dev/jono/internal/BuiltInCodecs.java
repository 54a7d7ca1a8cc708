package dev.jono.internal;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import dev.jono.json.JsonCodecs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;

/** The codecs of Jono, except JSON. Called on the threads of callers and handlers. Stateless. */
public final class BuiltInCodecs {
    private static final Map<Character, PayloadKind> KINDS =
            Map.of('j', PayloadKind.JSON, 's', PayloadKind.STRING, 'b', PayloadKind.BYTES);

    private static final Codec<byte[]> BYTES = new BytesCodec();
    private static final Codec<String> JSON_STRING = JsonCodecs.standard().codec(String.class);
    private static final Codec<String> STRING = new StringCodec();
    private static final Codec<EncodedPayload> RAW = new RawCodec();

    private BuiltInCodecs() {}

    /** Bytes as they are. */
    public static Codec<byte[]> bytes() {
        return BYTES;
    }

    /** Text. */
    public static Codec<String> string() {
        return STRING;
    }

    /** Payloads as they are stored. */
    public static Codec<EncodedPayload> raw() {
        return RAW;
    }

    /** A codec that maps another type. */
    public static <T, U> Codec<U> mapped(
            Codec<T> inner, Function<? super U, ? extends T> to, Function<? super T, ? extends U> from) {
        return new Codec<>() {
            @Override
            public EncodedPayload encode(U payload, Headers headers) throws Exception {
                return inner.encode(to.apply(payload), headers);
            }

            @Override
            public U decode(EncodedPayload payload, Headers headers) throws Exception {
                return from.apply(inner.decode(payload, headers));
            }
        };
    }

    /**
     * A codec with a step over its bytes, such as compression. The first byte holds the kind of the payload inside, because
     * the stored kind is only {@code bytes}.
     */
    public static <T> Codec<T> through(
            Codec<T> inner, Function<byte[], byte[]> outward, Function<byte[], byte[]> inward) {
        return new Codec<>() {
            @Override
            public EncodedPayload encode(T payload, Headers headers) throws Exception {
                EncodedPayload plain = inner.encode(payload, headers);
                byte[] body = outward.apply(plain.bytes());
                byte[] framed = new byte[body.length + 1];
                framed[0] = (byte) plain.kind().label().charAt(0);
                System.arraycopy(body, 0, framed, 1, body.length);
                return EncodedPayload.of(PayloadKind.BYTES, framed);
            }

            @Override
            public T decode(EncodedPayload payload, Headers headers) throws Exception {
                byte[] framed = payload.bytes();
                PayloadKind kind = framed.length == 0 ? null : KINDS.get((char) framed[0]);
                if (kind == null) {
                    throw new IOException("not written by this codec");
                }
                byte[] body = Arrays.copyOfRange(framed, 1, framed.length);
                return inner.decode(EncodedPayload.of(kind, inward.apply(body)), headers);
            }
        };
    }

    private static final class BytesCodec implements Codec<byte[]> {
        @Override
        public EncodedPayload encode(byte[] payload, Headers headers) {
            // Copied in both directions: later changes of the array by the caller must not reach a stored message.
            return EncodedPayload.of(PayloadKind.BYTES, payload.clone());
        }

        @Override
        public byte[] decode(EncodedPayload payload, Headers headers) {
            return payload.bytes().clone();
        }
    }

    private static final class StringCodec implements Codec<String> {
        @Override
        public EncodedPayload encode(String payload, Headers headers) throws CharacterCodingException {
            byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
            if (!new String(bytes, StandardCharsets.UTF_8).equals(payload)) {
                // UTF-8 cannot encode a lone surrogate, and getBytes replaces it by a question mark. The encoder throws
                // an
                // exception that says where it is; but it is several times slower than getBytes.
                StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(payload));
            }
            return EncodedPayload.of(PayloadKind.STRING, bytes);
        }

        @Override
        public String decode(EncodedPayload payload, Headers headers) throws Exception {
            if (payload.kind() == PayloadKind.JSON) {
                return JSON_STRING.decode(payload, headers);
            }
            String text = payload.text();
            if (text.indexOf('\uFFFD') >= 0) {
                // Either text() has replaced malformed bytes, which the decoder refuses, or the character was in the
                // text.
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload.bytes()));
            }
            return text;
        }
    }

    private static final class RawCodec implements Codec<EncodedPayload> {
        @Override
        public EncodedPayload encode(EncodedPayload payload, Headers headers) {
            return payload;
        }

        @Override
        public EncodedPayload decode(EncodedPayload payload, Headers headers) {
            return payload;
        }
    }
}
