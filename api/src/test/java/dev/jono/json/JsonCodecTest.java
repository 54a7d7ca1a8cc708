package dev.jono.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import dev.jono.TypeRef;
import dev.jono.json.Payloads.Job;
import dev.jono.json.Payloads.Mail;
import dev.jono.json.Payloads.Nothing;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JsonCodecTest {
    private static <T> String written(Codec<T> codec, T payload) throws Exception {
        return codec.encode(payload, Headers.empty()).text();
    }

    private static <T> T back(Codec<T> codec, T payload) throws Exception {
        return codec.decode(codec.encode(payload, Headers.empty()), Headers.empty());
    }

    @Test
    void elementsCarryTheTypeIdsOfTheirDeclaredType() throws Exception {
        Mail mail = new Mail("a", 1);
        assertThat(back(Codec.json(new TypeRef<List<Job>>() {}), List.of(mail, new Nothing())))
                .containsExactly(mail, new Nothing());
        assertThat(back(Codec.json(new TypeRef<List<? extends Job>>() {}), List.of(mail)))
                .isEqualTo(List.of(mail));
        assertThat(back(Codec.json(new TypeRef<Map<String, Optional<Job>>>() {}), Map.of("a", Optional.of(mail))))
                .containsEntry("a", Optional.of(mail));
        assertThat(back(Codec.json(new TypeRef<Job[]>() {}), new Job[] {mail})).containsExactly(mail);
        assertThat(written(Codec.json(Job.class), mail)).isEqualTo("{\"kind\":\"mail\",\"to\":\"a\",\"tries\":1}");
    }

    /** A class without type ids. */
    static class Animal {
        public int legs = 4;
    }

    static final class Dog extends Animal {
        public String bark = "woof";
    }

    static class Holder<T> {
        public @Nullable T held;
    }

    static final class Labelled<T> extends Holder<T> {
        public @Nullable T label;
    }

    /** The declared type adds type ids, and takes nothing away: a consumer with another type may want the rest. */
    @Test
    void subclassIsWrittenWithAllThatItHas() throws Exception {
        assertThat(written(Codec.json(Animal.class), new Dog())).isEqualTo("{\"legs\":4,\"bark\":\"woof\"}");
        assertThat(written(Codec.json(new TypeRef<List<Animal>>() {}), List.of(new Dog())))
                .isEqualTo("[{\"legs\":4,\"bark\":\"woof\"}]");
        assertThat(back(Codec.json(Animal.class), new Dog())).isExactlyInstanceOf(Animal.class);
        Labelled<Job> labelled = new Labelled<>();
        labelled.held = new Nothing();
        labelled.label = new Nothing();
        assertThat(written(Codec.json(new TypeRef<Holder<Job>>() {}), labelled))
                .isEqualTo("{\"held\":{\"kind\":\"nothing\"},\"label\":{\"kind\":\"nothing\"}}");
        assertThat(back(Codec.json(Serializable.class), "text")).isEqualTo("text");
        assertThat(back(Codec.json(new TypeRef<List<Serializable>>() {}), List.of("text", 5)))
                .isEqualTo(List.of("text", 5));
    }

    @Test
    void rawAndPrimitiveTypesAreWrittenAsTheyAre() throws Exception {
        assertThat(back(Codec.json(int.class), 5)).isEqualTo(5);
        assertThat(back(Codec.json(char.class), 'c')).isEqualTo('c');
        assertThat(back(Codec.json(Number.class), new BigDecimal("1.10"))).hasToString("1.10");
        assertThat(back(Codec.json(Object.class), List.of(1, Map.of("a", 2)))).isEqualTo(List.of(1, Map.of("a", 2)));
        Object list = back(Codec.json(List.class), Arrays.asList(1, null, "a"));
        assertThat(list).isEqualTo(Arrays.asList(1, null, "a"));
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"}) // a caller that has lost its types
    void payloadOfAnotherTypeIsRefused() {
        Codec raw = Codec.json(Animal.class);
        assertThatThrownBy(() -> raw.encode("text", Headers.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Animal");
        Codec number = Codec.json(int.class);
        assertThatThrownBy(() -> number.encode("5", Headers.empty())).isInstanceOf(IllegalArgumentException.class);
    }

    // ---- limits ---------------------------------------------------------------------------------------------

    /** Takes the most of the stack for a level of JSON. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes(@JsonSubTypes.Type(Link.class))
    interface Part {}

    record Link(Optional<Part> next) implements Part {}

    record Nested(List<Nested> inside) {}

    private static Part parts(int levels) {
        Link part = new Link(Optional.empty());
        for (int i = 1; i < levels; i++) {
            part = new Link(Optional.of(part));
        }
        return part;
    }

    private static Nested nested(int pairs) {
        Nested nested = new Nested(List.of());
        for (int i = 1; i < pairs; i++) {
            nested = new Nested(List.of(nested));
        }
        return nested;
    }

    @Test
    void asDeepAsTheLimitComesBack() throws Exception {
        assertThat(back(Codec.json(Part.class), parts(JsonCodecs.MAX_DEPTH)).toString())
                .isEqualTo(parts(JsonCodecs.MAX_DEPTH).toString());
        assertThat(back(Codec.json(Nested.class), nested(JsonCodecs.MAX_DEPTH / 2)))
                .isEqualTo(nested(JsonCodecs.MAX_DEPTH / 2));
    }

    /** Half the stack of a thread by default, to leave room for what calls the codec; virtual threads where there are any. */
    static List<Executor> threads() {
        Executor small = task -> new Thread(null, task, "half a stack", 512 << 10).start();
        try {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            return List.of(small, task -> {
                try {
                    start.invoke(null, task);
                } catch (ReflectiveOperationException e) {
                    throw new LinkageError("no virtual thread", e);
                }
            });
        } catch (NoSuchMethodException olderThan21) {
            return List.of(small);
        }
    }

    @ParameterizedTest
    @MethodSource("threads")
    void stackHoldsTheLimit(Executor threads) throws Exception {
        CompletableFuture<Part> result = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return back(Codec.json(Part.class), parts(JsonCodecs.MAX_DEPTH));
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                },
                threads);
        assertThat(result.get(30, TimeUnit.SECONDS).toString()).hasSizeGreaterThan(JsonCodecs.MAX_DEPTH);
    }

    @Test
    void deeperThanTheLimitIsRefused() {
        assertThatThrownBy(() -> written(Codec.json(Part.class), parts(JsonCodecs.MAX_DEPTH + 1)))
                .hasMessageContaining("depth (151) exceeds the maximum allowed (150");
        assertThatThrownBy(() -> written(Codec.json(Nested.class), nested(JsonCodecs.MAX_DEPTH)))
                .hasMessageContaining("depth (151)");
        EncodedPayload foreign = EncodedPayload.of(
                PayloadKind.JSON, ("[".repeat(151) + "]".repeat(151)).getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> Codec.json(Object.class).decode(foreign, Headers.empty()))
                .hasMessageContaining("depth (151) exceeds the maximum allowed (150");
    }

    @Test
    void numberAndNameThatNobodyCouldReadAreRefused() throws Exception {
        Codec<BigInteger> number = Codec.json(BigInteger.class);
        assertThat(back(number, BigInteger.TEN.pow(999))).isEqualTo(BigInteger.TEN.pow(999));
        assertThatThrownBy(() -> written(number, BigInteger.TEN.pow(1000))).hasMessageContaining("(1001) exceeds");
        Codec<Map<String, Integer>> names = Codec.json(new TypeRef<Map<String, Integer>>() {});
        assertThat(back(names, Map.of("n".repeat(50_000), 1))).hasSize(1);
        assertThatThrownBy(() -> written(names, Map.of("n".repeat(50_001), 1))).hasMessageContaining("(50001) exceeds");
    }

    /** What bounds a string is the queue's option. */
    @Test
    void stringMayHaveAnyLength() throws Exception {
        String text = "x".repeat(20_000_001);
        assertThat(back(Codec.json(String.class), text)).hasSize(text.length());
    }

    // ---- types that Jackson needs help for ------------------------------------------------------------------

    /** Has no way in for Jackson, unless the names of the arguments are known. */
    static final class Price {
        private final long cents;
        private final String currency;

        Price(long cents, String currency) {
            this.cents = cents;
            this.currency = currency;
        }

        public long getCents() {
            return cents;
        }

        public String getCurrency() {
            return currency;
        }
    }

    interface Unnamed {}

    record Named(String name) implements Unnamed {}

    @Test
    void typeThatCannotBeConstructedIsRefusedWithWhatToAdd() {
        assertThatThrownBy(() -> written(Codec.json(Price.class), new Price(1, "EUR")))
                .hasMessageContaining("its JSON cannot be read back")
                .hasMessageContaining("Price")
                .hasMessageContaining("@JsonCreator")
                .hasMessageContaining("com.fasterxml.jackson.module:jackson-module-parameter-names")
                .hasMessageContaining("withFoundModules()")
                .hasMessageContaining("writeOnly()");
        assertThatThrownBy(() -> written(Codec.json(Unnamed.class), new Named("a")))
                .hasMessageContaining("Unnamed")
                .hasMessageContaining("@JsonSubTypes");
        assertThatThrownBy(() -> written(Codec.json(new TypeRef<List<Price>>() {}), List.of(new Price(1, "EUR"))))
                .as("an empty list would have shown nothing")
                .hasMessageContaining("Price");
    }

    @Test
    void whatOnlyOthersReadIsWrittenWithoutAsking() throws Exception {
        Codec<Price> codec = JsonCodecs.standard().writeOnly().codec(Price.class);
        assertThat(written(codec, new Price(1, "EUR"))).isEqualTo("{\"cents\":1,\"currency\":\"EUR\"}");
    }

    @Test
    void mapperOfTheApplicationIsUsed() throws Exception {
        JsonMapper upper = JsonCodecs.mapper()
                .propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
                .build();
        assertThat(written(JsonCodecs.of(upper).codec(Animal.class), new Animal()))
                .isEqualTo("{\"Legs\":4}");
        assertThat(back(JsonCodecs.of(upper).codec(Animal.class), new Animal()).legs)
                .isEqualTo(4);
    }

    @Test
    void mapperThatWrapsItsValuesWrapsPayloads() throws Exception {
        JsonMapper wrapping = JsonCodecs.mapper()
                .enable(SerializationFeature.WRAP_ROOT_VALUE)
                .enable(DeserializationFeature.UNWRAP_ROOT_VALUE)
                .build();
        Codec<Animal> codec = JsonCodecs.of(wrapping).codec(Animal.class);
        assertThat(written(codec, new Animal())).isEqualTo("{\"Animal\":{\"legs\":4}}");
        assertThat(back(codec, new Animal()).legs).isEqualTo(4);
    }
}
