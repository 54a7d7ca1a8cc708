package dev.jono.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;

/** The codecs that come with Jono. */
public final class Codecs {
    /** Default typing is off, as Jackson has it; its read limits (nesting 1,000, numbers, names) are on, as it has them. */
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .addModule(new Jdk8Module())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(MapperFeature.BLOCK_UNSAFE_POLYMORPHIC_BASE_TYPES)
            .disable(com.fasterxml.jackson.databind.cfg.JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private static final Map<Character, PayloadKind> KINDS =
            Map.of('j', PayloadKind.JSON, 's', PayloadKind.STRING, 'b', PayloadKind.BYTES);

    private static final Codec<byte[]> BYTES = new BytesCodec();
    private static final Codec<String> STRING = new StringCodec();
    private static final Codec<EncodedPayload> RAW = new RawCodec();

    private Codecs() {}

    /** JSON for a type. */
    public static <T> Codec<T> json(Type type) {
        return new JsonCodec<>(MAPPER.constructType(type));
    }

    /** Bytes as they are. */
    public static Codec<byte[]> bytes() {
        return BYTES;
    }

    /** Text. */
    public static Codec<String> string() {
        return STRING;
    }

    /** Payloads as stored. */
    public static Codec<EncodedPayload> raw() {
        return RAW;
    }

    /** A codec for another type. */
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
     * A codec with a step over its bytes. The kind of what is inside travels in a first byte, because the stored kind says
     * only {@code bytes}.
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

    private static final class JsonCodec<T> implements Codec<T> {
        private static final byte[] NULL = {'n', 'u', 'l', 'l'};

        private final ObjectWriter writer;
        private final ObjectReader reader;

        JsonCodec(JavaType type) {
            this.writer = MAPPER.writer();
            this.reader = MAPPER.readerFor(type);
        }

        @Override
        public EncodedPayload encode(T payload, Headers headers) throws JsonProcessingException {
            byte[] json = writer.writeValueAsBytes(payload);
            if (Arrays.equals(json, NULL)) {
                // An empty Optional, or a serializer that says so.
                throw new IllegalArgumentException("its JSON is null, which cannot be a payload");
            }
            return EncodedPayload.of(PayloadKind.JSON, json);
        }

        @Override
        public T decode(EncodedPayload payload, Headers headers) throws IOException {
            byte[] json = switch (payload.kind()) {
                case JSON -> payload.bytes();
                case STRING -> MAPPER.writeValueAsBytes(payload.text());
                case BYTES -> throw new IOException("expected json, found bytes");
            };
            T value = reader.readValue(json);
            if (value == null) {
                throw new IOException("the payload is null");
            }
            return value;
        }
    }

    private static final class BytesCodec implements Codec<byte[]> {
        @Override
        public EncodedPayload encode(byte[] payload, Headers headers) {
            // Copied both ways: what the caller does to its array afterwards must not reach a message that is stored.
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
                // A lone surrogate has no UTF-8, and getBytes makes a question mark of it; this says where it is.
                // That way alone would be several times slower.
                StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(payload));
            }
            return EncodedPayload.of(PayloadKind.STRING, bytes);
        }

        @Override
        public String decode(EncodedPayload payload, Headers headers) throws IOException {
            if (payload.kind() == PayloadKind.JSON) {
                return MAPPER.readValue(payload.bytes(), String.class);
            }
            String text = payload.text();
            if (text.indexOf('\uFFFD') >= 0) {
                // What stands for malformed bytes, or stood in the text already.
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
