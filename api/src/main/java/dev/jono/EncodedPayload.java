package dev.jono;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A payload as it travels: its kind and its bytes. The array is shared, not copied; treat it as immutable. */
public final class EncodedPayload {
    private final PayloadKind kind;
    private final byte[] bytes;

    private EncodedPayload(PayloadKind kind, byte[] bytes) {
        this.kind = kind;
        this.bytes = bytes;
    }

    /** These bytes, read as this kind. */
    public static EncodedPayload of(PayloadKind kind, byte[] bytes) {
        return new EncodedPayload(kind, bytes);
    }

    /** How to read the bytes. */
    public PayloadKind kind() {
        return kind;
    }

    /** The bytes themselves, not a copy. */
    public byte[] bytes() {
        return bytes;
    }

    /** Number of bytes. */
    public int size() {
        return bytes.length;
    }

    /** The bytes read as UTF-8. */
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

    /** Kind and size; never the content. */
    @Override
    public String toString() {
        return kind.label() + "[" + bytes.length + " bytes]";
    }
}
