package dev.jono.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeFeature;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.jono.Codec;
import dev.jono.CodecFactory;
import dev.jono.TypeRef;
import java.lang.reflect.Type;

/**
 * Makes JSON codecs with a Jackson mapper. {@link Codec#json(Class)} uses {@link #standard()}; {@link
 * dev.jono.QueueFactoryBuilder#codecs} sets another for a factory:
 *
 * <pre>{@code
 * QueueFactory.builder(url).codecs(JsonCodecs.withFoundModules()).connect();
 * }</pre>
 *
 * <p>A codec writes a payload as Jackson writes a property of the declared type, including the type ids of
 * {@code @JsonTypeInfo}. Then it reads the JSON back, so a push fails if no consumer could decode its payload. Immutable and
 * thread-safe.
 */
public final class JsonCodecs implements CodecFactory {
    /**
     * The deepest nesting of objects and arrays in JSON that {@link #mapper()} writes and reads: 150. A document of
     * MongoDB has the same limit, and a thread's stack has room for three times as many.
     */
    public static final int MAX_DEPTH = 150;

    private static final JsonCodecs STANDARD = of(mapper().build());

    private final ObjectMapper mapper;
    private final boolean readsBack;

    private JsonCodecs(ObjectMapper mapper, boolean readsBack) {
        this.mapper = mapper;
        this.readsBack = readsBack;
    }

    /** Returns codecs with Jono's own mapper, without further modules. */
    public static JsonCodecs standard() {
        return STANDARD;
    }

    /**
     * Returns codecs with Jono's own mapper and the Jackson modules that a class loader finds: the thread's context class
     * loader, or Jono's if there is none.
     */
    public static JsonCodecs withFoundModules() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return withFoundModules(context == null ? JsonCodecs.class.getClassLoader() : context);
    }

    /**
     * Returns codecs with Jono's own mapper and the Jackson modules that this class loader finds, such as {@code
     * jackson-module-kotlin} and {@code jackson-module-parameter-names}.
     */
    public static JsonCodecs withFoundModules(ClassLoader loader) {
        return of(mapper().addModules(ObjectMapper.findModules(loader)).build());
    }

    /**
     * Returns codecs with the application's own mapper, which has its own settings and limits. Do not change the mapper
     * after this call.
     *
     * @throws IllegalArgumentException if the mapper is for another format than JSON
     */
    public static JsonCodecs of(ObjectMapper mapper) {
        String format = mapper.getFactory().getFormatName();
        if (!JsonFactory.FORMAT_NAME_JSON.equals(format)) {
            throw new IllegalArgumentException("expected a mapper for JSON, found one for " + format);
        }
        return new JsonCodecs(mapper, true);
    }

    /**
     * Returns a builder with the settings of Jono's own mapper, to which modules and changes can be added. The settings:
     * {@code java.time} as ISO-8601 with offset and zone, {@code Optional} supported, unknown properties ignored,
     * decimals exact, names of classes in the JSON never followed, {@link #MAX_DEPTH}, strings of any length. All other
     * limits are Jackson's, such as numbers of up to 1,000 digits and names of up to 50,000 characters.
     */
    public static JsonMapper.Builder mapper() {
        JsonFactory json = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .maxStringLength(Integer.MAX_VALUE) // the queue's maxPayloadBytes bounds it
                        .build())
                .streamWriteConstraints(StreamWriteConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .build())
                .build();
        return JsonMapper.builder(json)
                .addModule(new JavaTimeModule().disable(JavaTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID))
                .addModule(new Jdk8Module())
                .enable(SerializationFeature.WRITE_DATES_WITH_ZONE_ID)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(MapperFeature.BLOCK_UNSAFE_POLYMORPHIC_BASE_TYPES)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);
    }

    /**
     * Returns the same codecs without the reading back of what was written. Use it if only other processes read the
     * messages, with types of their own, or if pushes must cost as little as possible.
     */
    public JsonCodecs writeOnly() {
        return new JsonCodecs(mapper, false);
    }

    /**
     * Returns the codec of a class.
     *
     * @throws IllegalArgumentException if Jackson cannot handle the type
     */
    public <T> Codec<T> codec(Class<T> type) {
        return made(type);
    }

    /**
     * Returns the codec of a generic type.
     *
     * @throws IllegalArgumentException if Jackson cannot handle the type
     */
    public <T> Codec<T> codec(TypeRef<T> type) {
        return made(type.type());
    }

    @Override
    public Codec<?> codec(Type type) {
        return made(type);
    }

    private <T> Codec<T> made(Type type) {
        return new JsonCodec<>(mapper, mapper.constructType(type), readsBack);
    }
}
