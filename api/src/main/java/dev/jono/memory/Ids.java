package dev.jono.memory;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Assigns message ids and claim tokens. An id has 24 hexadecimal digits: twelve identify the storage, and twelve are
 * the sequence number of the insert. From the number, a restored message finds its old position. Thread-safe.
 */
final class Ids {
    private static final int HALF = 12;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final byte[] prefix = new byte[HALF];
    private final String prefixText;
    private final AtomicLong insertions = new AtomicLong();
    private final AtomicLong claims = new AtomicLong();

    Ids() {
        write(new SecureRandom().nextLong(), prefix, 0);
        this.prefixText = new String(prefix, StandardCharsets.ISO_8859_1);
    }

    long nextSeq() {
        return insertions.incrementAndGet();
    }

    String id(long seq) {
        byte[] digits = new byte[2 * HALF];
        System.arraycopy(prefix, 0, digits, 0, HALF);
        write(seq, digits, HALF);
        return new String(digits, StandardCharsets.ISO_8859_1);
    }

    /** The sequence number in an id; -1 if another storage assigned the id. */
    long seqOf(String id) {
        if (id.length() != 2 * HALF || !id.startsWith(prefixText)) {
            return -1;
        }
        long seq = 0;
        for (int i = HALF; i < 2 * HALF; i++) {
            int digit = Character.digit(id.charAt(i), 16);
            if (digit < 0) {
                return -1;
            }
            seq = seq << 4 | digit;
        }
        return seq;
    }

    /** A token that is unique among the claims of this storage. */
    String claimToken() {
        return prefixText + '-' + Long.toHexString(claims.incrementAndGet());
    }

    private static void write(long value, byte[] into, int offset) {
        long rest = value;
        for (int i = offset + HALF - 1; i >= offset; i--) {
            into[i] = HEX[(int) (rest & 0xf)];
            rest >>>= 4;
        }
    }
}
