package dev.jono.dashboard.internal.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names in URLs. Servlet containers and proxies refuse or change an encoded slash or percent sign in a path, and segments of dots. In
 * their place, links have an exclamation mark and two hexadecimal digits, such as {@code !2F}: names of queues contain none. (Source:
 * Jakarta Servlet 6.1, section 3.5.2, "suspicious sequences".)
 */
public final class UrlText {
    private static final String UNRESERVED = "-_.~:@=+!";
    private static final Pattern ESCAPE = Pattern.compile("!([0-9A-Fa-f]{2})");

    private UrlText() {}

    /** A text as a segment of a path. */
    public static String segment(String text) {
        if (text.chars().allMatch(c -> c == '.')) {
            return text.replace(".", "!2E");
        }
        return encode(text.replace("!", "!21")
                .replace("/", "!2F")
                .replace("\\", "!5C")
                .replace("%", "!25"));
    }

    /** A text as a name or a value in a query. */
    public static String parameter(String text) {
        return encode(text).replace("+", "%2B").replace("=", "%3D");
    }

    private static String encode(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            int c = each & 0xff;
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (plain || UNRESERVED.indexOf(c) >= 0) {
                encoded.append((char) c);
            } else {
                encoded.append('%').append(hex(c >> 4)).append(hex(c & 15));
            }
        }
        return encoded.toString();
    }

    private static char hex(int digit) {
        return Character.toUpperCase(Character.forDigit(digit, 16));
    }

    /** The text of a segment of a path. */
    static String ofSegment(String segment) {
        return ESCAPE.matcher(decode(segment, false))
                .replaceAll(escape ->
                        Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(escape.group(1), 16))));
    }

    /** The text of a name or a value in a query or a form. */
    static String ofParameter(String parameter) {
        return decode(parameter, true);
    }

    private static String decode(String encoded, boolean plusIsSpace) {
        byte[] bytes = encoded.getBytes(StandardCharsets.UTF_8);
        ByteBuffer decoded = ByteBuffer.allocate(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '%') {
                boolean whole = i + 2 < bytes.length;
                int high = whole ? Character.digit(bytes[i + 1], 16) : -1;
                int low = whole ? Character.digit(bytes[i + 2], 16) : -1;
                if (high < 0 || low < 0) {
                    throw ProblemException.bad("the URL has a '%' that no two hexadecimal digits follow");
                }
                decoded.put((byte) (high << 4 | low));
                i += 2;
            } else {
                decoded.put(plusIsSpace && bytes[i] == '+' ? (byte) ' ' : bytes[i]);
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(decoded.flip()).toString();
        } catch (CharacterCodingException e) {
            throw ProblemException.bad("the URL is not UTF-8");
        }
    }
}
