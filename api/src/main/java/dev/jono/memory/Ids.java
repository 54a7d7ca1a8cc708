package dev.jono.memory;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids of messages and tokens of claims. An id is 24 hexadecimal digits: twelve that are the store's own, and twelve that
 * count insertions, so that a message which a take removed can go back to its place.
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

    /** The number of the insertion that made this id; -1 when it was made elsewhere. */
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

    /** A token that no other claim of this store gets. */
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
