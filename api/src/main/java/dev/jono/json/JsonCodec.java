package dev.jono.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.util.ClassUtil;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The JSON codec of one type. Thread-safe. */
final class JsonCodec<T> implements Codec<T> {
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private final ObjectMapper mapper;
    private final JavaType type;
    private final Class<?> boxed;
    private final @Nullable TypeSerializer typeIds;
    private final ObjectWriter writer;
    private final ObjectReader reader;
    private final boolean readsBack;

    JsonCodec(ObjectMapper mapper, JavaType type, boolean readsBack) {
        this.mapper = mapper;
        this.type = type;
        this.boxed = type.isPrimitive() ? ClassUtil.wrapperType(type.getRawClass()) : type.getRawClass();
        SerializationConfig config = mapper.getSerializationConfig();
        this.writer = config.isEnabled(SerializationFeature.WRAP_ROOT_VALUE)
                ? mapper.writer().withRootName(config.findRootName(type))
                : mapper.writer();
        this.reader = mapper.readerFor(type);
        this.readsBack = readsBack;
        try {
            this.typeIds = mapper.getSerializerProviderInstance().findTypeSerializer(type);
        } catch (JsonMappingException e) {
            throw new IllegalArgumentException("no JSON codec for " + type.toCanonical() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public EncodedPayload encode(T payload, Headers headers) throws IOException {
        if (!boxed.isInstance(payload)) {
            throw new IllegalArgumentException("it is not an instance of " + type.toCanonical());
        }
        byte[] json = writer.writeValueAsBytes(new Declared(payload));
        if (Arrays.equals(json, NULL)) {
            // An empty Optional, or a serializer that writes null.
            throw new IllegalArgumentException("its JSON is null, which cannot be a payload");
        }
        if (readsBack) {
            readBack(json);
        }
        return EncodedPayload.of(PayloadKind.JSON, json);
    }

    private void readBack(byte[] json) throws IOException {
        try {
            read(json);
        } catch (JsonProcessingException failure) {
            throw new IOException(
                    "its JSON cannot be read back: " + failure.getOriginalMessage() + Advice.on(failure), failure);
        }
    }

    private T read(byte[] json) throws IOException {
        T value = reader.readValue(json);
        if (value == null) {
            throw new IOException("the payload is null");
        }
        return value;
    }

    @Override
    public T decode(EncodedPayload payload, Headers headers) throws IOException {
        return read(
                switch (payload.kind()) {
                    case JSON -> payload.bytes();
                    case STRING -> mapper.writeValueAsBytes(payload.text());
                    case BYTES -> throw new IOException("expected JSON, found bytes");
                });
    }

    /**
     * Writes a payload as Jackson writes a property of the codec's type: with all properties of its class, and with the
     * type ids that the declared type and its type arguments ask for. {@link ObjectMapper#writer()} would ignore the
     * declared type, and {@link ObjectMapper#writerFor} the properties that a subclass adds.
     */
    private final class Declared implements JsonSerializable {
        private final T payload;

        Declared(T payload) {
            this.payload = payload;
        }

        @Override
        public void serialize(JsonGenerator to, SerializerProvider provider) throws IOException {
            JavaType actual = type.hasGenericTypes()
                    ? provider.constructSpecializedType(type, payload.getClass())
                    : provider.constructType(payload.getClass());
            JsonSerializer<Object> serializer = provider.findValueSerializer(actual, null);
            if (typeIds == null) {
                serializer.serialize(payload, to, provider);
            } else {
                serializer.serializeWithType(payload, to, provider, typeIds);
            }
        }

        @Override
        public void serializeWithType(JsonGenerator to, SerializerProvider provider, TypeSerializer ignored)
                throws IOException {
            serialize(to, provider);
        }
    }
}
