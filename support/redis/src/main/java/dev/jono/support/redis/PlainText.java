package dev.jono.support.redis;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks for bytes that are not plain text in JSON, eight at a time: nearly all payloads are plain from end to end. */
final class PlainText {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EACH = 0x0101010101010101L;
    private static final long HIGH = 0x8080808080808080L;

    private PlainText() {}

    /** Where the first quote, backslash, control character or byte that is not ASCII stands; the end if none does. */
    static int indexOfSpecial(byte[] bytes, int from, int to) {
        int at = from;
        // A borrow may show one byte too many, never one too few: the bytes of such eight are looked at one by one.
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

    /** Whether all are ASCII. */
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
