package dev.jono.support.redis;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Searches for bytes that JSON must escape or that are not ASCII, eight at a time. Nearly all payloads have none. */
final class PlainText {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EACH = 0x0101010101010101L;
    private static final long HIGH = 0x8080808080808080L;

    private PlainText() {}

    /** The index of the first quote, backslash, control character or non-ASCII byte; {@code to} if there is none. */
    static int indexOfSpecial(byte[] bytes, int from, int to) {
        int at = from;
        // The test of eight bytes may report a plain one because of a borrow, but misses none. The loop below checks
        // each byte.
        while (at + Long.BYTES <= to && !anySpecial((long) LONG.get(bytes, at))) {
            at += Long.BYTES;
        }
        while (at < to && bytes[at] >= ' ' && bytes[at] != '"' && bytes[at] != '\\') {
            at++;
        }
        return at;
    }

    private static boolean anySpecial(long eight) {
        long below = eight - ' ' * EACH;
        long quote = (eight ^ ('"' * EACH)) - EACH;
        long backslash = (eight ^ ('\\' * EACH)) - EACH;
        return ((eight | below | quote | backslash) & HIGH) != 0;
    }

    /** Whether all bytes are ASCII. */
    static boolean isAscii(byte[] bytes) {
        int at = 0;
        while (at + Long.BYTES <= bytes.length && ((long) LONG.get(bytes, at) & HIGH) == 0) {
            at += Long.BYTES;
        }
        while (at < bytes.length && bytes[at] >= 0) {
            at++;
        }
        return at == bytes.length;
    }
}
