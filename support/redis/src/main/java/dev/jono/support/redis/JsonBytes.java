package dev.jono.support.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing buffer of JSON as UTF-8. Not thread-safe. */
final class JsonBytes {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

    private byte[] bytes;
    private int size;

    JsonBytes(int capacity) {
        this.bytes = new byte[capacity];
    }

    private void ensureRoom(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
        }
    }

    JsonBytes add(byte one) {
        ensureRoom(1);
        bytes[size++] = one;
        return this;
    }

    JsonBytes add(byte[] some) {
        ensureRoom(some.length);
        System.arraycopy(some, 0, bytes, size, some.length);
        size += some.length;
        return this;
    }

    /** Appends a text of ASCII characters only. */
    @SuppressWarnings("deprecation") // this getBytes copies the low bytes, which is what ASCII needs
    JsonBytes ascii(String text) {
        int length = text.length();
        ensureRoom(length);
        text.getBytes(0, length, bytes, size);
        size += length;
        return this;
    }

    /** Appends a JSON string of valid UTF-8. */
    JsonBytes quoted(byte[] utf8) {
        ensureRoom(utf8.length + 2);
        add((byte) '"');
        int from = 0;
        int i = PlainText.indexOfSpecial(utf8, 0, utf8.length);
        while (i < utf8.length) {
            byte b = utf8[i++];
            if (b >= 0) {
                copy(utf8, from, i - 1);
                escaped(b);
                from = i;
            }
            i = PlainText.indexOfSpecial(utf8, i, utf8.length);
        }
        copy(utf8, from, utf8.length);
        return add((byte) '"');
    }

    private void copy(byte[] from, int start, int end) {
        ensureRoom(end - start);
        System.arraycopy(from, start, bytes, size, end - start);
        size += end - start;
    }

    private void escaped(byte b) {
        add((byte) '\\');
        switch (b) {
            case '\n' -> add((byte) 'n');
            case '\r' -> add((byte) 'r');
            case '\t' -> add((byte) 't');
            case '\b' -> add((byte) 'b');
            case '\f' -> add((byte) 'f');
            case '"', '\\' -> add(b);
            default -> ascii("u00").add(HEX[b >> 4]).add(HEX[b & 15]);
        }
    }

    /** Appends a JSON string. A lone surrogate is escaped, because UTF-8 has none. */
    JsonBytes quoted(String text) {
        add((byte) '"');
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair) {
                i++;
            } else if (c == '"' || c == '\\' || c < ' ' || Character.isSurrogate(c)) {
                add(text.substring(from, i).getBytes(StandardCharsets.UTF_8));
                if (Character.isSurrogate(c)) {
                    ascii("\\u").ascii(Integer.toHexString(c));
                } else {
                    escaped((byte) c);
                }
                from = i + 1;
            }
        }
        add(text.substring(from).getBytes(StandardCharsets.UTF_8));
        return add((byte) '"');
    }

    byte[] toArray() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }
}
