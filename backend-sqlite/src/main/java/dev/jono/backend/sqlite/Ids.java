package dev.jono.backend.sqlite;

import dev.jono.spi.Receipt;
import org.jspecify.annotations.Nullable;

/**
 * Message ids and receipts. A message's id is its row id in decimal, or its {@code xid} if another storage assigned the
 * id. A receipt's token is the claim in base 36; for a message with an {@code xid} the row id follows, in base 36 too.
 */
final class Ids {
    private static final int RADIX = 36;

    private Ids() {}

    static String messageId(long row, @Nullable String xid) {
        return xid == null ? Long.toString(row) : xid;
    }

    /** The row id that a message id may stand for; -1 if it cannot be a row id. */
    static long row(String id) {
        int length = id.length();
        if (length == 0 || length > 18 || id.charAt(0) == '0') {
            return -1;
        }
        long row = 0;
        for (int i = 0; i < length; i++) {
            int digit = id.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            row = 10 * row + digit;
        }
        return row;
    }

    static Receipt receipt(long row, @Nullable String xid, long claim) {
        String token = Long.toString(claim, RADIX);
        return xid == null
                ? Receipt.of(Long.toString(row), token)
                : Receipt.of(xid, token + '.' + Long.toString(row, RADIX));
    }

    /** The row id in a receipt; -1 if another storage created the receipt. */
    static long row(Receipt receipt) {
        int dot = receipt.token().indexOf('.');
        return dot < 0
                ? row(receipt.id())
                : number(receipt.token(), dot + 1, receipt.token().length());
    }

    /** The claim in a receipt; -1, which no message has, if another storage created the receipt. */
    static long claim(Receipt receipt) {
        String token = receipt.token();
        int dot = token.indexOf('.');
        return number(token, 0, dot < 0 ? token.length() : dot);
    }

    private static long number(String text, int from, int to) {
        try {
            long value = Long.parseLong(text, from, to, RADIX);
            return value > 0 ? value : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
