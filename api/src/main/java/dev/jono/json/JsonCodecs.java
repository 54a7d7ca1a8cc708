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
 * Makes JSON codecs with a mapper of Jackson's. {@link Codec#json(Class)} has those of {@link #standard()}; a factory takes others
 * by {@link dev.jono.QueueFactoryBuilder#codecs}:
 *
 * <pre>{@code
 * QueueFactory.builder(url).codecs(JsonCodecs.withFoundModules()).connect();
 * }</pre>
 *
 * <p>A payload is written as Jackson writes a property of the declared type, type ids of {@code @JsonTypeInfo} included, and then
 * read once, so that a push is refused when no consumer could decode it. Immutable and thread-safe.
 */
public final class JsonCodecs implements CodecFactory {
    /**
     * How many objects and arrays may stand inside one another in JSON that {@link #mapper()} writes and reads: 150. A thread's
     * stack has room for three times as many, whatever the types, and MongoDB accepts 150 in a document.
     */
    public static final int MAX_DEPTH = 150;

    private static final JsonCodecs STANDARD = of(mapper().build());

    private final ObjectMapper mapper;
    private final boolean readsBack;

    private JsonCodecs(ObjectMapper mapper, boolean readsBack) {
        this.mapper = mapper;
        this.readsBack = readsBack;
    }

    /** Jono's own mapper, without further modules. */
    public static JsonCodecs standard() {
        return STANDARD;
    }

    /** Jono's own mapper with the modules of Jackson's that the thread's context class loader, or else Jono's, finds. */
    public static JsonCodecs withFoundModules() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return withFoundModules(context == null ? JsonCodecs.class.getClassLoader() : context);
    }

    /**
     * Jono's own mapper with the modules of Jackson's that this class loader finds, such as {@code jackson-module-kotlin}
     * and {@code jackson-module-parameter-names}.
     */
    public static JsonCodecs withFoundModules(ClassLoader loader) {
        return of(mapper().addModules(ObjectMapper.findModules(loader)).build());
    }

    /**
     * A mapper of the application's, with its own settings and limits. It must not be changed any more.
     *
     * @throws IllegalArgumentException if it is one of another format than JSON
     */
    public static JsonCodecs of(ObjectMapper mapper) {
        String format = mapper.getFactory().getFormatName();
        if (!JsonFactory.FORMAT_NAME_JSON.equals(format)) {
            throw new IllegalArgumentException("a mapper for JSON is needed, this one is for " + format);
        }
        return new JsonCodecs(mapper, true);
    }

    /**
     * A builder with the settings of Jono's own mapper, to add modules to or to change: {@code java.time} as ISO-8601 with
     * offset and zone, {@code Optional}, unknown properties ignored, decimals exact, type names of classes never obeyed, {@link
     * #MAX_DEPTH}, strings of any length, all other limits Jackson's (numbers of 1,000 digits, names of 50,000 characters).
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
     * The same, but what is pushed is not read before it is stored: for a producer whose type only others read, with a
     * type of theirs, and for one whose pushes must cost the least.
     */
    public JsonCodecs writeOnly() {
        return new JsonCodecs(mapper, false);
    }

    /** The codec of a class. */
    public <T> Codec<T> codec(Class<T> type) {
        return made(type);
    }

    /** The codec of a generic type. */
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
