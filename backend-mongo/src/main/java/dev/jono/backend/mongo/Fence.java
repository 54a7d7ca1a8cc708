package dev.jono.backend.mongo;

import dev.jono.spi.Receipt;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;

/**
 * Identifies one claim by its token and its time. The token alone is not enough, because a reserve of keuss leaves it
 * in the document; the time alone is not enough, because two claims may have the same.
 *
 * @param token the number of the call
 * @param reservedMillis the time of the claim by the server's clock
 */
record Fence(long token, long reservedMillis) {
    private static final int RADIX = 36;

    /** The fence as the text of a receipt. A {@link HeldKey} may follow it. */
    String text() {
        return Long.toUnsignedString(token, RADIX) + '-' + Long.toUnsignedString(reservedMillis, RADIX);
    }

    /** The fence of a receipt; null if the text is not one of Jono's, so that it matches no document. */
    static @Nullable Fence of(Receipt receipt) {
        String text = receipt.token();
        int dash = text.indexOf('-');
        if (dash < 1) {
            return null;
        }
        int key = text.indexOf('-', dash + 1);
        try {
            return new Fence(
                    Long.parseUnsignedLong(text.substring(0, dash), RADIX),
                    Long.parseUnsignedLong(text.substring(dash + 1, key < 0 ? text.length() : key), RADIX));
        } catch (NumberFormatException foreign) {
            return null;
        }
    }

    /** Restricts a filter to documents that still have this fence. */
    BsonDocument on(BsonDocument filter, Layouts.Layout layout) {
        filter.put(Fields.RESERVED, Fields.date(reservedMillis));
        filter.put(layout.tokenField(), new BsonInt64(token));
        return filter;
    }

    /** The fence of a document; null if it has none. */
    static @Nullable Fence in(BsonDocument document, Layouts.Layout layout) {
        var token = document.get(layout.tokenField());
        var reserved = document.get(Fields.RESERVED);
        return token != null && token.isInt64() && reserved != null && reserved.isDateTime()
                ? new Fence(token.asInt64().getValue(), reserved.asDateTime().getValue())
                : null;
    }
}
