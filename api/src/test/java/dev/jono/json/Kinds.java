package dev.jono.json;

import dev.jono.json.Payloads.Batch;
import dev.jono.json.Payloads.Box;
import dev.jono.json.Payloads.Card;
import dev.jono.json.Payloads.Cash;
import dev.jono.json.Payloads.Circle;
import dev.jono.json.Payloads.Color;
import dev.jono.json.Payloads.Job;
import dev.jono.json.Payloads.Mail;
import dev.jono.json.Payloads.Nothing;
import dev.jono.json.Payloads.Pair;
import dev.jono.json.Payloads.Payment;
import dev.jono.json.Payloads.Primitives;
import dev.jono.json.Payloads.Shape;
import dev.jono.json.Payloads.Square;
import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes types at random, and values of them. */
final class Kinds {
    private static final List<String> TEXTS =
            List.of("", "a", "null", "{\"a\":1}", "\u00e9\n\0\u2028", "\ud83d\ude80", "NaN", "x".repeat(300));

    private static final List<ZoneId> ZONES = List.of(
            ZoneId.of("Europe/Helsinki"),
            ZoneId.of("America/New_York"),
            ZoneId.of("UTC"),
            ZoneId.of("Etc/GMT+3"),
            ZoneId.of("UTC+05:45"),
            ZoneOffset.UTC,
            ZoneOffset.ofHoursMinutes(-9, -30));

    private final Random random;

    Kinds(Random random) {
        this.random = random;
    }

    /** A type, and values of it. */
    record Kind(Type type, Supplier<Object> values) {
        @Override
        public String toString() {
            return type.getTypeName();
        }
    }

    private <V> V any(List<V> of) {
        return of.get(random.nextInt(of.size()));
    }

    private Kind kind(Class<?> type, Supplier<Object> values) {
        return new Kind(type, values);
    }

    private Kind mapped(Class<?> type, Function<Long, Object> values) {
        return new Kind(
                type,
                () -> values.apply(
                        any(List.of(0L, 1L, -1L, (long) random.nextInt(), random.nextLong() >> random.nextInt(64)))));
    }

    private ZonedDateTime zoned() {
        // Within the hour that comes twice in Helsinki and in New York, now and then.
        Instant twice =
                random.nextBoolean() ? Instant.parse("2026-10-25T00:30:00Z") : Instant.parse("2026-11-01T05:30:00Z");
        Instant at = random.nextBoolean()
                ? twice.plusSeconds(3_600L * random.nextInt(2))
                : Instant.ofEpochSecond(random.nextInt() * 3L, random.nextInt(1_000_000_000));
        return at.atZone(any(ZONES));
    }

    /** What stands in JSON as a string, a number or a boolean. */
    @SuppressWarnings("JavaUtilDate") // payloads have it
    Kind scalar() {
        return any(List.of(
                mapped(Integer.class, Long::intValue),
                mapped(Long.class, n -> n),
                mapped(Short.class, Long::shortValue),
                mapped(Byte.class, Long::byteValue),
                mapped(Boolean.class, n -> n > 0),
                mapped(Character.class, n -> (char) n.intValue()),
                kind(Float.class, () -> any(List.of(0.1f, -0f, Float.NaN, Float.MIN_VALUE, random.nextFloat()))),
                kind(Double.class, () -> any(List.of(0.1, Double.NEGATIVE_INFINITY, 1e300, random.nextGaussian()))),
                mapped(BigInteger.class, n -> BigInteger.valueOf(n).pow(1 + random.nextInt(20))),
                mapped(BigDecimal.class, n -> new BigDecimal(BigInteger.valueOf(n), random.nextInt(60) - 30)),
                kind(byte[].class, () -> bytes(random.nextInt(40))),
                mapped(Date.class, n -> new Date(n >> 20)),
                kind(ZonedDateTime.class, this::zoned),
                mapped(LocalDateTime.class, n -> zoned().toLocalDateTime()),
                kind(LocalTime.class, () -> zoned().toLocalTime()),
                kind(OffsetTime.class, () -> zoned().toOffsetDateTime().toOffsetTime()),
                kind(OptionalInt.class, () -> OptionalInt.of(random.nextInt())),
                kind(URI.class, () -> URI.create("https://example.org/" + random.nextInt())),
                kind(Primitives.class, this::primitives),
                key()));
    }

    /** What can be the name of a property, too. */
    Kind key() {
        return any(List.of(
                kind(String.class, () -> any(TEXTS)),
                kind(Color.class, () -> any(List.of(Color.values()))),
                kind(DayOfWeek.class, () -> any(List.of(DayOfWeek.values()))),
                kind(UUID.class, () -> new UUID(random.nextLong(), random.nextLong())),
                kind(Currency.class, () -> Currency.getInstance("EUR")),
                kind(Instant.class, () -> zoned().toInstant()),
                kind(LocalDate.class, () -> zoned().toLocalDate()),
                kind(OffsetDateTime.class, () -> zoned().toOffsetDateTime()),
                kind(Year.class, () -> Year.from(zoned())),
                kind(YearMonth.class, () -> YearMonth.from(zoned())),
                kind(MonthDay.class, () -> MonthDay.from(zoned())),
                kind(ZoneId.class, () -> any(ZONES)),
                mapped(Period.class, n -> Period.of(n.intValue(), -3, n.intValue())),
                mapped(Duration.class, n -> Duration.ofSeconds(n >> 10, 5)),
                mapped(Integer.class, Long::intValue),
                mapped(Long.class, n -> n)));
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private Primitives primitives() {
        return new Primitives(
                random.nextBoolean(),
                (byte) random.nextInt(),
                (short) random.nextInt(),
                random.nextInt(),
                random.nextLong(),
                random.nextFloat(),
                random.nextDouble(),
                (char) random.nextInt(),
                bytes(3),
                any(TEXTS).toCharArray());
    }

    private Job job(int depth) {
        return switch (random.nextInt(depth > 0 ? 3 : 2)) {
            case 0 -> new Mail(any(TEXTS), random.nextInt());
            case 1 -> new Nothing();
            default ->
                new Batch(
                        List.of(job(depth - 1), job(depth - 1)),
                        Map.of(Color.GREEN, job(depth - 1)),
                        random.nextBoolean() ? Optional.empty() : Optional.of(job(depth - 1)),
                        random.nextBoolean() ? null : job(depth - 1));
        };
    }

    private Shape shape(int depth) {
        return depth == 0 || random.nextBoolean()
                ? new Circle(random.nextDouble())
                : new Square(random.nextFloat(), List.of(shape(depth - 1)));
    }

    private Kind hierarchy() {
        return any(List.of(
                kind(Job.class, () -> job(3)),
                kind(Batch.class, () -> new Batch(List.of(job(1)), Map.of(), Optional.empty(), job(1))),
                kind(Shape.class, () -> shape(3)),
                kind(Payment.class, () -> random.nextBoolean() ? new Card(any(TEXTS)) : new Cash(random.nextLong()))));
    }

    /** Any type; type arguments stand in one another this deep at most. */
    Kind any(int depth) {
        if (depth == 0 || random.nextInt(6) == 0) {
            return random.nextBoolean() ? scalar() : hierarchy();
        }
        Kind inner = any(depth - 1);
        return switch (random.nextInt(6)) {
            case 0, 1 -> collection(inner);
            case 2 -> map(inner);
            case 3 -> box(inner);
            case 4 -> array(inner);
            default -> isOptional(inner) ? pair(inner, any(depth - 1)) : optional(inner);
        };
    }

    private static boolean isOptional(Kind kind) {
        return raw(kind.type) == Optional.class || kind.type == OptionalInt.class;
    }

    /** A value, or null where a null comes back as such: an optional cannot be null. */
    private @Nullable Object orNull(Kind kind) {
        return isOptional(kind) || random.nextInt(8) > 0 ? kind.values.get() : null;
    }

    private List<@Nullable Object> some(Kind kind) {
        List<@Nullable Object> some = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            some.add(orNull(kind));
        }
        return some;
    }

    private Kind collection(Kind inner) {
        Type of = random.nextInt(3) == 0 ? new Wild(inner.type) : inner.type;
        return any(List.of(
                new Kind(new Generic(List.class, of), () -> some(inner)),
                new Kind(new Generic(Iterable.class, of), () -> some(inner)),
                new Kind(new Generic(Collection.class, of), () -> some(inner)),
                new Kind(new Generic(Set.class, of), () -> new HashSet<>(some(inner))),
                new Kind(new Generic(LinkedHashSet.class, of), () -> new LinkedHashSet<>(some(inner))),
                new Kind(new Generic(ArrayDeque.class, of), () -> {
                    List<@Nullable Object> some = some(inner);
                    some.removeIf(o -> o == null);
                    return new ArrayDeque<>(some);
                })));
    }

    private <M extends Map<Object, @Nullable Object>> M filled(M map, Kind key, Kind value) {
        for (int i = random.nextInt(4); i > 0; i--) {
            map.put(key.values.get(), orNull(value));
        }
        return map;
    }

    private EnumMap<Color, @Nullable Object> colored(Kind value) {
        EnumMap<Color, @Nullable Object> map = new EnumMap<>(Color.class);
        for (int i = random.nextInt(4); i > 0; i--) {
            map.put(any(List.of(Color.values())), orNull(value));
        }
        return map;
    }

    private Kind map(Kind inner) {
        Kind key = key();
        Kind text = kind(String.class, () -> any(TEXTS));
        Type of = random.nextInt(3) == 0 ? new Wild(inner.type) : inner.type;
        return any(List.of(
                new Kind(new Generic(Map.class, key.type, of), () -> filled(new LinkedHashMap<>(), key, inner)),
                new Kind(new Generic(TreeMap.class, String.class, of), () -> filled(new TreeMap<>(), text, inner)),
                new Kind(new Generic(EnumMap.class, Color.class, of), () -> colored(inner))));
    }

    private Object arrayOf(Kind inner, List<@Nullable Object> values) {
        Object array = Array.newInstance(raw(inner.type), values.size());
        for (int i = 0; i < values.size(); i++) {
            Array.set(array, i, values.get(i));
        }
        return array;
    }

    private Kind array(Kind inner) {
        return new Kind(new ArrayOf(inner.type), () -> arrayOf(inner, some(inner)));
    }

    private Kind optional(Kind inner) {
        return new Kind(
                new Generic(Optional.class, inner.type),
                () -> random.nextInt(4) == 0 ? Optional.empty() : Optional.of(inner.values.get()));
    }

    @SuppressWarnings("NullAway") // lists and maps of the values hold nulls, and their types are not known here
    private Kind box(Kind inner) {
        if (isOptional(inner)) {
            return pair(inner, scalar());
        }
        return new Kind(
                new Generic(Box.class, inner.type),
                () -> new Box<@Nullable Object>(
                        inner.values.get(),
                        null,
                        some(inner),
                        random.nextBoolean() ? Optional.empty() : Optional.of(inner.values.get()),
                        colored(inner),
                        (@Nullable Object[]) arrayOf(inner, some(inner))));
    }

    private Kind pair(Kind first, Kind second) {
        return new Kind(
                new Generic(Pair.class, first.type, second.type), () -> new Pair<>(orNull(first), orNull(second)));
    }

    // ---- types ----------------------------------------------------------------------------------------------

    private static Class<?> raw(Type type) {
        if (type instanceof Generic generic) {
            return generic.raw;
        }
        return type instanceof ArrayOf array ? raw(array.of).arrayType() : (Class<?>) type;
    }

    @SuppressWarnings("ArrayRecordComponent") // is never compared
    private record Generic(Class<?> raw, Type... arguments) implements ParameterizedType {
        @Override
        public Type[] getActualTypeArguments() {
            return arguments;
        }

        @Override
        public Type getRawType() {
            return raw;
        }

        @Override
        public @Nullable Type getOwnerType() {
            return null;
        }

        @Override
        public String toString() {
            return raw.getSimpleName()
                    + Stream.of(arguments).map(Type::getTypeName).collect(Collectors.joining(",", "<", ">"));
        }
    }

    private record ArrayOf(Type of) implements GenericArrayType {
        @Override
        public Type getGenericComponentType() {
            return of;
        }

        @Override
        public String toString() {
            return of.getTypeName() + "[]";
        }
    }

    private record Wild(Type bound) implements WildcardType {
        @Override
        public Type[] getUpperBounds() {
            return new Type[] {bound};
        }

        @Override
        public Type[] getLowerBounds() {
            return new Type[0];
        }

        @Override
        public String toString() {
            return "? extends " + bound.getTypeName();
        }
    }
}
