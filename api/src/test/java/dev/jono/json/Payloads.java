package dev.jono.json;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Types of payloads, and what shows that two values are the same. */
final class Payloads {
    private Payloads() {}

    enum Color {
        RED,
        GREEN {
            @Override
            public String toString() {
                return "a class of its own";
            }
        },
        BLUE
    }

    /** Its classes have their names from here alone. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Mail.class, name = "mail"),
        @JsonSubTypes.Type(value = Batch.class, name = "batch"),
        @JsonSubTypes.Type(value = Nothing.class, name = "nothing")
    })
    sealed interface Job permits Mail, Batch, Nothing {}

    record Mail(String to, int tries) implements Job {}

    record Batch(
            List<Job> jobs,
            Map<Color, Job> named,
            Optional<Job> last,
            @Nullable Job first) implements Job {}

    record Nothing() implements Job {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_OBJECT)
    @JsonSubTypes({@JsonSubTypes.Type(value = Circle.class, name = "o"), @JsonSubTypes.Type(Square.class)})
    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {}

    record Square(float side, List<Shape> inside) implements Shape {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
    @JsonSubTypes({@JsonSubTypes.Type(Card.class), @JsonSubTypes.Type(Cash.class)})
    sealed interface Payment permits Card, Cash {}

    record Card(String number) implements Payment {}

    record Cash(long cents) implements Payment {}

    @SuppressWarnings("ArrayRecordComponent") // that is the point
    record Box<T>(
            T value, @Nullable T nothing, List<? extends T> many, Optional<T> maybe, Map<Color, T> named, T[] array) {}

    record Pair<A, B>(@Nullable A first, @Nullable B second) {}

    @SuppressWarnings("ArrayRecordComponent") // that is the point
    record Primitives(
            boolean yes, byte b, short s, int i, long l, float f, double d, char c, byte[] bytes, char[] chars) {}

    /** A value as text, which is the same for equal values, whatever their collections' classes and their order. */
    @SuppressWarnings("JavaUtilDate") // payloads have it
    static String text(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof Optional<?> optional) {
            return "Optional(" + text(optional.orElse(null)) + ")";
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, String> sorted = new TreeMap<>();
            map.forEach((k, v) -> sorted.put(text(k), text(v)));
            return sorted.toString();
        }
        if (value instanceof Collection<?> all) {
            Stream<String> texts = all.stream().map(Payloads::text);
            return (value instanceof List ? texts : texts.sorted()).collect(Collectors.joining(", ", "[", "]"));
        }
        Class<?> type = value.getClass();
        if (type.isArray()) {
            return IntStream.range(0, Array.getLength(value))
                    .mapToObj(i -> text(Array.get(value, i)))
                    .collect(Collectors.joining(", ", type.getSimpleName() + "[", "]"));
        }
        if (value instanceof Record record) {
            return Stream.of(type.getRecordComponents())
                    .map(component -> component.getName() + "=" + text(read(record, component)))
                    .collect(Collectors.joining(", ", type.getSimpleName() + "(", ")"));
        }
        return type.getSimpleName() + ":" + (value instanceof Date date ? date.getTime() : value);
    }

    private static @Nullable Object read(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(component.toString(), e);
        }
    }
}
