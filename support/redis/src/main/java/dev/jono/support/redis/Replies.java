package dev.jono.support.redis;

import java.nio.charset.StandardCharsets;

/** Reads the values that scripts return. */
public final class Replies {
    private Replies() {}

    /** A value as text. */
    public static String text(Object value) {
        return value instanceof Long number ? number.toString() : new String((byte[]) value, StandardCharsets.UTF_8);
    }

    /** A whole number, which may be a text. */
    public static long number(Object value) {
        return value instanceof Long number ? number : Long.parseLong(text(value));
    }

    /** A score, rounded up: scores may have a fraction. */
    public static long score(Object value) {
        String score = text(value);
        return score.indexOf('.') < 0 ? Long.parseLong(score) : (long) Math.ceil(Double.parseDouble(score));
    }
}
