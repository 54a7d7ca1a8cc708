package dev.jono;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** An encoded payload: its kind and its bytes. The array is shared and not copied; treat it as immutable. */
public final class EncodedPayload {
    private final PayloadKind kind;
    private final byte[] bytes;

    private EncodedPayload(PayloadKind kind, byte[] bytes) {
        this.kind = kind;
        this.bytes = bytes;
    }

    /** Returns an encoded payload. Does not copy the array. */
    public static EncodedPayload of(PayloadKind kind, byte[] bytes) {
        return new EncodedPayload(kind, bytes);
    }

    /** The kind, which says how to read the bytes. */
    public PayloadKind kind() {
        return kind;
    }

    /** The bytes; not a copy. */
    public byte[] bytes() {
        return bytes;
    }

    /** The number of bytes. */
    public int size() {
        return bytes.length;
    }

    /** The bytes as UTF-8 text. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EncodedPayload p && p.kind == kind && Arrays.equals(p.bytes, bytes);
    }

    @Override
    public int hashCode() {
        return 31 * kind.hashCode() + Arrays.hashCode(bytes);
    }

    /** The kind and the size, never the content. */
    @Override
    public String toString() {
        return kind.label() + "[" + bytes.length + " bytes]";
    }
}
