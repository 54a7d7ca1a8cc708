package dev.jono.support.redis;

import java.nio.charset.StandardCharsets;

/** Reads what scripts return. */
public final class Replies {
    private Replies() {}

    /** A text. */
    public static String text(Object value) {
        return value instanceof Long number ? number.toString() : new String((byte[]) value, StandardCharsets.UTF_8);
    }

    /** A whole number, which may stand as a text. */
    public static long number(Object value) {
        return value instanceof Long number ? number : Long.parseLong(text(value));
    }

    /** A score, rounded up: it may have a fraction. */
    public static long score(Object value) {
        String score = text(value);
        return score.indexOf('.') < 0 ? Long.parseLong(score) : (long) Math.ceil(Double.parseDouble(score));
    }
}
