package dev.jono.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;

/** The messages of a round: texts that begin with a number and the time they were due, zero where nobody asks. Immutable. */
final class Payloads {
    private static final int DIGITS = 9;
    private static final int STAMP = 19;

    /** The least a text may hold. */
    static final int LEAST_BYTES = DIGITS + STAMP;

    private final int first;
    private final int count;
    private final String rest;

    /**
     * So many messages.
     *
     * @param first the number of the first
     * @param bytes of each, all of them ASCII
     */
    Payloads(int first, int count, int bytes) {
        if (bytes < LEAST_BYTES) {
            throw new IllegalArgumentException("a message holds " + LEAST_BYTES + " bytes at least, not " + bytes);
        }
        this.first = first;
        this.count = count;
        this.rest = "x".repeat(bytes - LEAST_BYTES);
    }

    int count() {
        return count;
    }

    /** The text at this place, from 0. */
    String text(int place) {
        return text(place, 0);
    }

    /** The text at this place, with a time. */
    String text(int place, long nanos) {
        StringBuilder text = new StringBuilder(LEAST_BYTES + rest.length());
        digits(text, first + place, DIGITS);
        digits(text, nanos, STAMP);
        return text.append(rest).toString();
    }

    private static void digits(StringBuilder text, long number, int width) {
        String digits = Long.toString(number);
        text.append("0".repeat(width - digits.length())).append(digits);
    }

    /** All texts. */
    List<String> all() {
        List<String> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            all.add(text(i));
        }
        return all;
    }

    /** The place of a text, or -1 if it is none of these, or is not whole. */
    int place(String text) {
        int place = number(text) - first;
        boolean whole = text.length() == LEAST_BYTES + rest.length() && text.endsWith(rest);
        return whole && place >= 0 && place < count ? place : -1;
    }

    /** The number of a text, or -1 if it is none of ours. */
    static int number(String text) {
        return text.length() < LEAST_BYTES || !digits(text) ? -1 : Integer.parseInt(text, 0, DIGITS, 10);
    }

    private static boolean digits(String text) {
        for (int i = 0; i < LEAST_BYTES; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    /** When it was due, or 0. */
    static long stamp(String text) {
        return Long.parseLong(text, DIGITS, LEAST_BYTES, 10);
    }
}
