package dev.jono;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses and formats durations as URLs and commands write them: {@code 500ms}, {@code 10s}, {@code 2m}, {@code 1h},
 * {@code 7d}.
 */
public final class Durations {
    /**
     * The longest duration that Jono accepts: 3,660 days, about ten years. Longer ones are refused as a mistake of units.
     */
    public static final Duration MAX = Duration.ofDays(3660);

    private static final Pattern FORM = Pattern.compile("([0-9]{1,15})(ms|s|m|h|d)");

    private Durations() {}

    /**
     * Parses a duration.
     *
     * @param text an integer of up to 15 digits, followed by {@code ms}, {@code s}, {@code m}, {@code h} or {@code d}
     * @throws IllegalArgumentException if the text is not a duration, or the duration is longer than {@link #MAX}
     */
    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text.trim());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a duration: expected a form such as 500ms, 10s or 2m");
        }
        long number = Long.parseLong(matcher.group(1));
        Duration duration = switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> multiplied(number, 60);
            case "h" -> multiplied(number, 3600);
            default -> multiplied(number, 86_400);
        };
        return check(duration, text);
    }

    /** Multiplies without overflow: a number over the limit is cut to one that is still refused as too long. */
    private static Duration multiplied(long number, long seconds) {
        return Duration.ofSeconds(Math.min(number, MAX.toSeconds() + 1) * seconds);
    }

    /**
     * Formats a duration in the form that {@link #parse} reads: {@code 200ms}, {@code 90s}, {@code 2m}. A part of a
     * millisecond is cut off. A duration of less than a millisecond is a fraction, such as {@code 0.5ms}, which {@code
     * parse} does not read.
     */
    public static String format(Duration duration) {
        long seconds = duration.getSeconds();
        if (duration.getNano() != 0 && Math.abs(seconds) < Integer.MAX_VALUE) {
            long millis = duration.toMillis();
            String number = millis != 0
                    ? Long.toString(millis)
                    : BigDecimal.valueOf(duration.toNanos(), 6).toPlainString().replaceFirst("0+$", "");
            return number + "ms";
        }
        if (seconds != 0 && seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        if (seconds != 0 && seconds % 3_600 == 0) {
            return seconds / 3_600 + "h";
        }
        return seconds != 0 && seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }

    /** As {@link #check}, and refuses a duration of less than a millisecond. */
    public static Duration positive(Duration value, String what) {
        if (check(value, what).toMillis() < 1) {
            throw new IllegalArgumentException(what + " must be at least a millisecond: " + format(value));
        }
        return value;
    }

    /**
     * Checks that a duration is in the accepted range, from zero to {@link #MAX}.
     *
     * @param what names the duration in the message
     * @return the same duration
     * @throws IllegalArgumentException if it is negative or longer than {@link #MAX}
     */
    public static Duration check(Duration duration, String what) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(what + " must not be negative: " + format(duration));
        }
        if (duration.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(what + " must not be longer than ten years: " + format(duration));
        }
        return duration;
    }
}
