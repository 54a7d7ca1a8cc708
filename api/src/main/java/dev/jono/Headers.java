package dev.jono;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a message: an immutable, ordered map from names to strings, longs, doubles or booleans. A name has 1 to
 * 64 ASCII letters, digits, {@code _} or {@code -}. Names that begin with {@code x-} are reserved for Jono.
 */
public final class Headers {
    /** The ordering key of the message. */
    public static final String KEY = "x-key";
    /** The queue from which a dead letter came. */
    public static final String DL_FROM_QUEUE = "x-dl-from-queue";
    /** The time at which the dead letter was moved: ISO-8601 in UTC, with milliseconds. */
    public static final String DL_TIME = "x-dl-t";
    /** The number of deliveries before the one that ended with the move. */
    public static final String DL_TRIES = "x-dl-tries";
    /** The reason of the move: {@code limit}, {@code expired}, {@code rejected} or {@code undecodable}. */
    public static final String DL_REASON = "x-dl-reason";
    /** The text of the error, or the reason that was given to reject. */
    public static final String DL_ERROR = "x-dl-error";
    /** The names of all headers that dead-lettering adds. */
    public static final Set<String> DEAD_LETTER = Set.of(DL_FROM_QUEUE, DL_TIME, DL_TRIES, DL_REASON, DL_ERROR);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Headers EMPTY = new Headers(new LinkedHashMap<>());

    private final Map<String, Object> values;

    private Headers(Map<String, Object> values) {
        this.values = values;
    }

    /** Returns empty headers. */
    public static Headers empty() {
        return EMPTY;
    }

    /**
     * Returns headers from a map that was read from the storage, for backends. Names are not checked. Numbers become
     * longs or doubles, booleans and strings stay, and other values become their text.
     */
    public static Headers fromStored(Map<String, ?> stored) {
        if (stored.isEmpty()) {
            return EMPTY;
        }
        Map<String, Object> values = new LinkedHashMap<>();
        stored.forEach((name, value) -> values.put(name, normalized(value)));
        return new Headers(values);
    }

    private static Object normalized(Object value) {
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (value instanceof Float f) {
            return f.doubleValue();
        }
        return value instanceof Long || value instanceof Double || value instanceof Boolean
                ? value
                : String.valueOf(value);
    }

    /**
     * Returns these headers with one more, which replaces a header of the same name.
     *
     * @param name 1 to 64 ASCII letters, digits, {@code _} or {@code -}; must not begin with {@code x-}
     * @param value a string, an integer number, a floating-point number or a boolean
     * @throws IllegalArgumentException if the name or the type of the value is not allowed
     */
    public Headers with(String name, Object value) {
        if (name.startsWith("x-")) {
            throw new IllegalArgumentException("header '" + name + "': names that begin with x- are reserved for Jono");
        }
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "header name '" + name + "' is not allowed: 1 to 64 letters, digits, '_' or '-'");
        }
        Object stored = normalized(value);
        if (stored instanceof String && !(value instanceof String)) {
            throw new IllegalArgumentException("header '" + name + "' has a value of "
                    + value.getClass().getName() + ": allowed are string, long, double and boolean");
        }
        Map<String, Object> copy = new LinkedHashMap<>(values);
        copy.put(name, stored);
        return new Headers(copy);
    }

    /**
     * Returns these headers without some names, and with others set: the change that a move makes. For backends.
     *
     * @param drop names to remove first
     * @param add headers to set then
     */
    public Headers merged(Set<String> drop, Headers add) {
        if (drop.isEmpty() && add.isEmpty()) {
            return this;
        }
        Map<String, Object> copy = new LinkedHashMap<>(values);
        copy.keySet().removeAll(drop);
        copy.putAll(add.values);
        return new Headers(copy);
    }

    /** The value of a header; null if there is none. */
    public @Nullable Object get(String name) {
        return values.get(name);
    }

    /** The value of a header as text; null if there is none. */
    public @Nullable String string(String name) {
        Object value = values.get(name);
        return value == null ? null : value.toString();
    }

    /** Whether there are no headers. */
    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** The headers as an unmodifiable map, in the order in which they were set. */
    public Map<String, Object> asMap() {
        return java.util.Collections.unmodifiableMap(values);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Headers h && h.values.equals(values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
