package dev.jono.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;

/** The messages of a round: texts that begin with a number and the time at which the push was due, or zero. Immutable. */
final class Payloads {
    private static final int DIGITS = 9;
    private static final int STAMP = 19;

    /** The minimum length of a text. */
    static final int MIN_BYTES = DIGITS + STAMP;

    private final int first;
    private final int count;
    private final String rest;

    /**
     * Messages with consecutive numbers.
     *
     * @param first the number of the first message
     * @param count the number of messages
     * @param bytes the length of each message; all characters are ASCII
     */
    Payloads(int first, int count, int bytes) {
        if (bytes < MIN_BYTES) {
            throw new IllegalArgumentException("a message has at least " + MIN_BYTES + " bytes, not " + bytes);
        }
        this.first = first;
        this.count = count;
        this.rest = "x".repeat(bytes - MIN_BYTES);
    }

    int count() {
        return count;
    }

    /** Returns the text at this index, from 0. */
    String text(int index) {
        return text(index, 0);
    }

    /** Returns the text at this index, with a due time. */
    String text(int index, long nanos) {
        StringBuilder text = new StringBuilder(MIN_BYTES + rest.length());
        digits(text, first + index, DIGITS);
        digits(text, nanos, STAMP);
        return text.append(rest).toString();
    }

    private static void digits(StringBuilder text, long number, int width) {
        String digits = Long.toString(number);
        text.append("0".repeat(width - digits.length())).append(digits);
    }

    /** Returns all texts, without due times. */
    List<String> all() {
        List<String> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            all.add(text(i));
        }
        return all;
    }

    /** Returns the index of a text, or -1 if it is not one of these messages or was changed. */
    int index(String text) {
        int index = number(text) - first;
        boolean whole = text.length() == MIN_BYTES + rest.length() && text.endsWith(rest);
        return whole && index >= 0 && index < count ? index : -1;
    }

    /** Returns the number of a text, or -1 if it has none. */
    static int number(String text) {
        return text.length() < MIN_BYTES || !digits(text) ? -1 : Integer.parseInt(text, 0, DIGITS, 10);
    }

    private static boolean digits(String text) {
        for (int i = 0; i < MIN_BYTES; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    /** Returns the time at which the push of a text was due, or 0. */
    static long stamp(String text) {
        return Long.parseLong(text, DIGITS, MIN_BYTES, 10);
    }
}
