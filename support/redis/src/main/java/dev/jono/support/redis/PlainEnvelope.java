package dev.jono.support.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import dev.jono.support.redis.Envelope.Parsed;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages of the most common form without a parser: ASCII, no headers, no tries counted by keuss, and a payload that is
 * an object, an array, or a string without escapes. It leaves everything else to the parser. Fast, because the next take waits
 * until the messages of this one are decoded.
 */
final class PlainEnvelope {
    private static final byte[] ID_FIRST = RedisKeys.bytes("{\"_id\":\"");
    private static final byte[] PAYLOAD_FIRST = RedisKeys.bytes("{\"payload\":");
    private static final byte[] PAYLOAD_NEXT = RedisKeys.bytes("\",\"payload\":");
    private static final byte[] MOVED_PAYLOAD_NEXT = RedisKeys.bytes("\",\"moved\":1,\"payload\":");
    private static final byte[] UNTRIED = RedisKeys.bytes(",\"tries\":0,\"hdrs\":{}");
    private static final byte[] MATURE = RedisKeys.bytes(",\"mature\":");
    private static final byte[] ID_LAST = RedisKeys.bytes(",\"_id\":\"");
    private static final int MAX_DIGITS = 15;

    // The fields that a reservation of redis-oq writes at the end, as in texts.lua. Positions count from the end.
    private static final byte[] TRIES = RedisKeys.bytes(",\"tries\":");
    private static final byte[] RESERVED = RedisKeys.bytes(",\"reserved\":");
    private static final byte[] TRUE = RedisKeys.bytes("true ");
    private static final byte[] FALSE = RedisKeys.bytes("false");
    private static final byte[] MARK = RedisKeys.bytes(",\"jono\":\"");
    private static final int TAIL = 81;
    private static final int TRIES_AT = 72;
    private static final int RESERVED_AT = 66;
    private static final int FLAG_AT = 54;
    private static final int MARK_AT = 49;
    private static final int MARK_TEXT_AT = 40;
    private static final byte[] LEASED = RedisKeys.bytes(",\"reserved\":true}");

    private final byte[] text;
    private @Nullable String id;
    private int tries;
    private boolean reserved;
    private @Nullable String mark;
    private long mature;
    private boolean moved;

    private PlainEnvelope(byte[] text) {
        this.text = text;
    }

    /** The message; null if a parser must read it. */
    static @Nullable Parsed read(byte[] text) {
        return new PlainEnvelope(text).read();
    }

    private @Nullable Parsed read() {
        int end = stripTail();
        end = end < 0 ? -1 : text[end - 1] == '"' ? stripId(end) : stripMature(end);
        end -= UNTRIED.length;
        if (!matches(UNTRIED, end)) {
            return null;
        }
        int start = matches(PAYLOAD_FIRST, 0) ? PAYLOAD_FIRST.length : payloadStart();
        if (start < 0 || start >= end || !isOneValue(start, end)) {
            return null;
        }
        EncodedPayload payload = text[start] == '"'
                ? EncodedPayload.of(PayloadKind.STRING, Arrays.copyOfRange(text, start + 1, end - 1))
                : EncodedPayload.of(PayloadKind.JSON, Arrays.copyOfRange(text, start, end));
        return new Parsed(id, payload, Headers.empty(), tries, reserved, mark, mature, moved);
    }

    private boolean matches(byte[] expected, int at) {
        int end = at + expected.length;
        return at >= 0 && end <= text.length && Arrays.equals(text, at, end, expected, 0, expected.length);
    }

    /** The index where the fields of a reservation begin, or the closing brace; -1 for another end. */
    private int stripTail() {
        int length = text.length;
        if (length < 2 || text[length - 1] != '}') {
            return -1;
        }
        if (matches(LEASED, length - LEASED.length)) {
            reserved = true;
            return length - LEASED.length;
        }
        if (!matches(MARK, length - MARK_AT)) {
            return length - 1;
        }
        if (length <= TAIL || !matches(TRIES, length - TAIL) || !matches(RESERVED, length - RESERVED_AT)) {
            return -1;
        }
        int at = length - TRIES_AT;
        int last = length - RESERVED_AT - 1;
        while (at < last && text[at] == ' ') {
            at++;
        }
        if (text[at] == '0' && at < last) {
            return -1;
        }
        for (; at <= last; at++) {
            int digit = text[at] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            tries = 10 * tries + digit;
        }
        reserved = matches(TRUE, length - FLAG_AT);
        if (!reserved && !matches(FALSE, length - FLAG_AT)) {
            return -1;
        }
        mark = ascii(length - MARK_TEXT_AT, length - 2);
        return mark == null ? -1 : length - TAIL;
    }

    private int stripMature(int end) {
        int at = end;
        long factor = 1;
        while (at > 0 && end - at < MAX_DIGITS && text[at - 1] >= '0' && text[at - 1] <= '9') {
            mature += factor * (text[--at] - '0');
            factor *= 10;
        }
        return at < end && matches(MATURE, at - MATURE.length) ? at - MATURE.length : -1;
    }

    private int stripId(int end) {
        int at = end - 2;
        while (at >= 0 && text[at] != '"') {
            at--;
        }
        int field = at + 1 - ID_LAST.length;
        id = matches(ID_LAST, field) ? ascii(at + 1, end - 1) : null;
        return id == null ? -1 : field;
    }

    /** The index of the payload after an id at the beginning; -1 if there is no such id. */
    private int payloadStart() {
        if (id != null || !matches(ID_FIRST, 0)) {
            return -1;
        }
        int at = ID_FIRST.length;
        while (at < text.length && text[at] != '"') {
            at++;
        }
        id = ascii(ID_FIRST.length, at);
        moved = matches(MOVED_PAYLOAD_NEXT, at);
        byte[] next = moved ? MOVED_PAYLOAD_NEXT : PAYLOAD_NEXT;
        return id != null && matches(next, at) ? at + next.length : -1;
    }

    /** A text; null if any of it is escaped or not ASCII. */
    private @Nullable String ascii(int from, int to) {
        return PlainText.indexOfSpecial(text, from, to) < to ? null : new String(text, from, to - from, ISO_8859_1);
    }

    private boolean isOneValue(int start, int end) {
        if (text[start] == '"') {
            return stringEnd(start, end, false) == end;
        }
        int depth = 0;
        for (int i = start; i < end; ) {
            byte b = text[i];
            if (b == '"') {
                i = stringEnd(i, end, true);
                if (i < 0) {
                    return false;
                }
                continue;
            }
            i++;
            if (b == '{' || b == '[') {
                depth++;
            } else if (b == '}' || b == ']') {
                if (--depth == 0) {
                    return i == end;
                }
            }
            if (b < ' ' || depth == 0) {
                return false;
            }
        }
        return false;
    }

    /** The index after the closing quote; -1 without one, or if the string has non-ASCII bytes, or escapes not allowed here. */
    private int stringEnd(int start, int end, boolean escapes) {
        int i = PlainText.indexOfSpecial(text, start + 1, end);
        while (i < end && text[i] == '\\' && escapes) {
            i = PlainText.indexOfSpecial(text, Math.min(i + 2, end), end);
        }
        return i < end && text[i] == '"' ? i + 1 : -1;
    }
}
