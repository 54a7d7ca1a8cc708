package dev.jono;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Headers of a message: an immutable, ordered map from names to strings, longs, doubles or booleans. A name has 1 to 64
 * letters, digits, {@code _} or {@code -}; those that begin with {@code x-} are Jono's own.
 */
public final class Headers {
    /** The queue from which a dead letter came. */
    public static final String DL_FROM_QUEUE = "x-dl-from-queue";
    /** When it was moved: ISO-8601, UTC, milliseconds. */
    public static final String DL_TIME = "x-dl-t";
    /** How often it had been delivered before the delivery that ended here. */
    public static final String DL_TRIES = "x-dl-tries";
    /** Why: {@code limit}, {@code expired}, {@code rejected} or {@code undecodable}. */
    public static final String DL_REASON = "x-dl-reason";
    /** The error's text, or the reason given to reject. */
    public static final String DL_ERROR = "x-dl-error";
    /** The names of all headers that a dead letter gets. */
    public static final Set<String> DEAD_LETTER = Set.of(DL_FROM_QUEUE, DL_TIME, DL_TRIES, DL_REASON, DL_ERROR);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Headers EMPTY = new Headers(new LinkedHashMap<>());

    private final Map<String, Object> values;

    private Headers(Map<String, Object> values) {
        this.values = values;
    }

    /** No headers. */
    public static Headers empty() {
        return EMPTY;
    }

    /**
     * Headers from a map, for layouts that read them from the storage: names are not checked; numbers become long or
     * double, other values their text.
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
     * These headers and one more, which replaces one of the same name.
     *
     * @param value a string, an integer number, a floating-point number or a boolean
     * @throws IllegalArgumentException if the name is not allowed, or begins with {@code x-}, or the value's type is
     *     not allowed
     */
    public Headers with(String name, Object value) {
        if (name.startsWith("x-")) {
            throw new IllegalArgumentException("header '" + name + "': names that begin with x- are Jono's own");
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

    /** These headers without some names, and with others set: what a move asks a backend to do. */
    public Headers merged(Set<String> drop, Headers add) {
        if (drop.isEmpty() && add.isEmpty()) {
            return this;
        }
        Map<String, Object> copy = new LinkedHashMap<>(values);
        copy.keySet().removeAll(drop);
        copy.putAll(add.values);
        return new Headers(copy);
    }

    /** The value; null when absent. */
    public @Nullable Object get(String name) {
        return values.get(name);
    }

    /** The value as text; null when absent. */
    public @Nullable String string(String name) {
        Object value = values.get(name);
        return value == null ? null : value.toString();
    }

    /** Whether there are none. */
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
