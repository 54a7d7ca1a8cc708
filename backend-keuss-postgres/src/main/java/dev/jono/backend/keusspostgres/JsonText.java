package dev.jono.backend.keusspostgres;

import java.util.Arrays;

/**
 * Says whether PostgreSQL's {@code jsonb} can hold a JSON text, and whether it gives the same text back. {@code jsonb} sorts
 * the fields of objects, removes blanks and repeated fields, and writes numbers and escapes in a form of its own. It has no
 * character U+0000 and no half surrogate pairs. A parser of one text, used by one thread.
 */
final class JsonText {
    /** A deeper text might exhaust the stack of the server, or of JavaScript. */
    private static final int MAX_DEPTH = 900;

    /** The limits of PostgreSQL are higher. They are reached only by texts that are meant to do harm. */
    private static final int MAX_NUMBER_LENGTH = 15_000;

    private static final int MAX_EXPONENT_DIGITS = 3;

    private static final String SHORT_ESCAPES = "\"\\bfnrt";
    private static final String CODES_OF_SHORT_ESCAPES = "\b\f\n\r\t";
    private static final int HEX = 16;
    private static final int HEX_DIGITS = 4;

    private final byte[] text;
    private int at;

    /** Whether {@code jsonb} gives this text back, apart from the blanks that it adds. */
    private boolean same = true;

    private JsonText(byte[] text) {
        this.text = text;
    }

    /** What {@code jsonb} makes of a text. */
    enum Form {
        /** It gives the same text back, with blanks that {@link JsonText#withoutBlanks} removes. */
        SAME,
        /** It gives back another text of the same value. */
        ANOTHER_TEXT,
        /** It refuses the text. */
        REFUSED
    }

    /**
     * What {@code jsonb} makes of a text.
     *
     * @param utf8 valid UTF-8
     */
    static Form form(byte[] utf8) {
        JsonText json = new JsonText(utf8);
        json.blanks();
        if (!json.value(0)) {
            return Form.REFUSED;
        }
        json.blanks();
        if (json.at < utf8.length) {
            return Form.REFUSED;
        }
        return json.same ? Form.SAME : Form.ANOTHER_TEXT;
    }

    /** Removes the blanks that {@code jsonb} puts after commas and colons. */
    static byte[] withoutBlanks(byte[] jsonb) {
        byte[] result = new byte[jsonb.length];
        int length = 0;
        boolean inString = false;
        for (int i = 0; i < jsonb.length; i++) {
            byte b = jsonb[i];
            if (b == '"') {
                inString = !inString;
            }
            if (inString || b != ' ') {
                result[length++] = b;
            }
            if (inString && b == '\\') {
                result[length++] = jsonb[++i];
            }
        }
        return length == result.length ? result : Arrays.copyOf(result, length);
    }

    private int peek() {
        return at < text.length ? text[at] & 0xff : -1;
    }

    private boolean skip(char expected) {
        if (peek() != expected) {
            return false;
        }
        at++;
        return true;
    }

    private void blanks() {
        while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') {
            at++;
            same = false;
        }
    }

    /** Reads a value; false if it is refused. So do the methods below. */
    private boolean value(int depth) {
        return switch (peek()) {
            case '{' -> depth < MAX_DEPTH && object(depth);
            case '[' -> depth < MAX_DEPTH && array(depth);
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        };
    }

    private boolean word(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (!skip(word.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean array(int depth) {
        at++;
        blanks();
        if (skip(']')) {
            return true;
        }
        do {
            blanks();
            if (!value(depth + 1)) {
                return false;
            }
            blanks();
        } while (skip(','));
        return skip(']');
    }

    private boolean object(int depth) {
        at++;
        blanks();
        if (skip('}')) {
            return true;
        }
        int previousFrom = 0;
        int previousTo = -1;
        do {
            blanks();
            int from = at + 1;
            if (peek() != '"' || !string()) {
                return false;
            }
            int to = at - 1;
            same &= previousTo < 0 || isBefore(previousFrom, previousTo, from, to);
            previousFrom = from;
            previousTo = to;
            blanks();
            if (!skip(':')) {
                return false;
            }
            blanks();
            if (!value(depth + 1)) {
                return false;
            }
            blanks();
        } while (skip(','));
        return skip('}');
    }

    /** The order of fields: by length, then by their bytes. With escapes in a name it is not looked for. */
    private boolean isBefore(int from, int to, int nextFrom, int nextTo) {
        for (int i = from; i < to; i++) {
            if (text[i] == '\\') {
                return false;
            }
        }
        for (int i = nextFrom; i < nextTo; i++) {
            if (text[i] == '\\') {
                return false;
            }
        }
        int difference = (nextTo - nextFrom) - (to - from);
        return difference > 0
                || (difference == 0 && Arrays.compareUnsigned(text, from, to, text, nextFrom, nextTo) < 0);
    }

    private boolean string() {
        at++;
        while (at < text.length) {
            int b = peek();
            at++;
            if (b == '"') {
                return true;
            }
            if (b < ' ' || (b == '\\' && !escape())) {
                return false;
            }
        }
        return false;
    }

    private boolean escape() {
        int letter = peek();
        at++;
        if (letter == 'u') {
            return code();
        }
        same &= letter != '/';
        return letter == '/' || (letter >= 0 && SHORT_ESCAPES.indexOf(letter) >= 0);
    }

    private boolean code() {
        int first = at;
        int code = hex();
        if (code <= 0 || Character.isLowSurrogate((char) code)) {
            return false;
        }
        if (Character.isHighSurrogate((char) code)) {
            same = false;
            return skip('\\') && skip('u') && Character.isLowSurrogate((char) Math.max(0, hex()));
        }
        boolean lowerCase = true;
        for (int i = first; i < at; i++) {
            lowerCase &= text[i] < 'A' || text[i] > 'F';
        }
        same &= lowerCase && code < ' ' && CODES_OF_SHORT_ESCAPES.indexOf(code) < 0;
        return true;
    }

    /** Reads four hex digits; -1 if there are none. */
    private int hex() {
        int code = 0;
        for (int i = 0; i < HEX_DIGITS; i++) {
            int digit = peek() < 0 ? -1 : Character.digit(peek(), HEX);
            if (digit < 0) {
                return -1;
            }
            code = code * HEX + digit;
            at++;
        }
        return code;
    }

    private boolean number() {
        int from = at;
        boolean negative = skip('-');
        if (!skip('0') && digits() == 0) {
            return false;
        }
        if (skip('.') && digits() == 0) {
            return false;
        }
        int end = at;
        if (skip('e') || skip('E')) {
            same = false;
            if (!skip('+')) {
                skip('-');
            }
            int digits = digits();
            if (digits == 0 || digits > MAX_EXPONENT_DIGITS) {
                return false;
            }
        }
        same &= !negative || !isZero(from, end);
        return at - from <= MAX_NUMBER_LENGTH;
    }

    private int digits() {
        int from = at;
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
        return at - from;
    }

    private boolean isZero(int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] >= '1' && text[i] <= '9') {
                return false;
            }
        }
        return true;
    }
}
