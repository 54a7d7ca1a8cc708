package dev.jono.spi;

import dev.jono.Headers;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of headers: a flat JSON object of strings, numbers and booleans. A double always has a point or an
 * exponent, a long never has. {@code NaN} and {@code Infinity} are written without quotes, as in JSON5.
 */
public final class HeaderText {
    private final String text;
    private int at;

    private HeaderText(String text) {
        this.text = text;
    }

    /** The stored form; null if there are no headers. */
    public static @Nullable String write(Headers headers) {
        if (headers.isEmpty()) {
            return null;
        }
        StringBuilder out = new StringBuilder("{");
        headers.asMap().forEach((name, value) -> {
            if (out.length() > 1) {
                out.append(',');
            }
            quote(name, out);
            out.append(':');
            if (value instanceof String s) {
                quote(s, out);
            } else {
                out.append(value);
            }
        });
        return out.append('}').toString();
    }

    private static void quote(String value, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                // UTF-8 cannot encode a lone surrogate, so it is escaped.
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    /**
     * Reads the stored form, or another flat JSON object.
     *
     * @throws IllegalArgumentException if the text is not such an object
     */
    public static Headers read(@Nullable String text) {
        if (text == null) {
            return Headers.empty();
        }
        return Headers.fromStored(new HeaderText(text).object());
    }

    private Map<String, Object> object() {
        Map<String, Object> values = new LinkedHashMap<>();
        expect('{');
        if (peek() == '}') {
            at++;
        } else {
            char next;
            do {
                String name = string();
                expect(':');
                values.put(name, peek() == '"' ? string() : unquoted());
                next = peek();
                at++;
            } while (next == ',');
            at--;
            expect('}');
        }
        if (peek() != '\0') {
            throw malformed();
        }
        return values;
    }

    private Object unquoted() {
        int from = at;
        while (at < text.length() && ",} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at);
        if (word.equals("true") || word.equals("false")) {
            return word.equals("true");
        }
        try {
            return word.matches("-?[0-9]+") ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
        } catch (NumberFormatException e) {
            throw malformed();
        }
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return out.toString();
            }
            out.append(c == '\\' ? escaped() : c);
        }
        throw malformed();
    }

    private char escaped() {
        if (at >= text.length()) {
            throw malformed();
        }
        char c = text.charAt(at++);
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> unicode();
            default -> c;
        };
    }

    private char unicode() {
        at += 4;
        try {
            return (char) Integer.parseInt(text, at - 4, at, 16);
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw malformed();
        }
    }

    private void expect(char c) {
        if (peek() != c) {
            throw malformed();
        }
        at++;
    }

    /** Skips white space and returns the next character without consuming it; 0 at the end. */
    private char peek() {
        while (at < text.length() && text.charAt(at) <= ' ') {
            at++;
        }
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException(
                "not headers: expected a flat JSON object, found an unexpected character at " + at);
    }
}
