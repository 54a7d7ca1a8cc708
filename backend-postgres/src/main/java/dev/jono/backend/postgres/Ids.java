package dev.jono.backend.postgres;

import dev.jono.spi.Receipt;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Message ids and receipts. A message's id is its row id in decimal, or its {@code xid} if another storage assigned the
 * id. A receipt's token is the claim in base 36; for a message with an {@code xid} the row id follows, in base 36 too.
 */
final class Ids {
    /** A row id, and a claim, that no message has. */
    static final long NONE = -1;

    private static final int RADIX = 36;
    private static final int MAX_DIGITS = 18;

    private Ids() {}

    /** The number of a call's claim. Two calls have the same one with negligible probability. */
    static long claim(String token) {
        UUID digest = UUID.nameUUIDFromBytes(token.getBytes(StandardCharsets.UTF_8));
        return 1 + ((digest.getMostSignificantBits() ^ digest.getLeastSignificantBits()) >>> 2);
    }

    static String messageId(long row, @Nullable String xid) {
        return xid == null ? Long.toString(row) : xid;
    }

    /** The row id that a message id may stand for; {@link #NONE} if it cannot be a row id. */
    static long row(String id) {
        if (id.isEmpty() || id.length() > MAX_DIGITS || id.charAt(0) == '0') {
            return NONE;
        }
        for (int i = 0; i < id.length(); i++) {
            if (id.charAt(i) < '0' || id.charAt(i) > '9') {
                return NONE;
            }
        }
        return Long.parseLong(id);
    }

    /** An id as PostgreSQL can store and compare it. One that it cannot store is the id of no message. */
    static String text(String id) {
        return id.indexOf('\0') < 0 ? id : "";
    }

    static Receipt receipt(long row, @Nullable String xid, long claim) {
        String token = Long.toString(claim, RADIX);
        return xid == null
                ? Receipt.of(Long.toString(row), token)
                : Receipt.of(xid, token + '.' + Long.toString(row, RADIX));
    }

    /** The row id in a receipt; {@link #NONE} if another storage created the receipt. */
    static long row(Receipt receipt) {
        int dot = receipt.token().indexOf('.');
        return dot < 0
                ? row(receipt.id())
                : number(receipt.token(), dot + 1, receipt.token().length());
    }

    /** The claim in a receipt; {@link #NONE} if another storage created the receipt. */
    static long claim(Receipt receipt) {
        String token = receipt.token();
        int dot = token.indexOf('.');
        return number(token, 0, dot < 0 ? token.length() : dot);
    }

    private static long number(String text, int from, int to) {
        try {
            long value = Long.parseLong(text, from, to, RADIX);
            return value > 0 ? value : NONE;
        } catch (NumberFormatException e) {
            return NONE;
        }
    }
}
