package dev.jono.backend.mongo;

import dev.jono.spi.Receipt;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;

/**
 * What tells one claim from all others: its token, and when it was. The token alone would miss a reserve by keuss, which
 * leaves it in place; the time alone could be the same for two.
 */
record Fence(long token, long reservedMillis) {
    private static final int RADIX = 36;

    /** As a receipt holds it. */
    String text() {
        return Long.toUnsignedString(token, RADIX) + '-' + Long.toUnsignedString(reservedMillis, RADIX);
    }

    /** That of a receipt; null if it is none of ours, and so nobody's. */
    static @Nullable Fence of(Receipt receipt) {
        String text = receipt.token();
        int dash = text.indexOf('-');
        if (dash < 1) {
            return null;
        }
        try {
            return new Fence(
                    Long.parseUnsignedLong(text.substring(0, dash), RADIX),
                    Long.parseUnsignedLong(text.substring(dash + 1), RADIX));
        } catch (NumberFormatException foreign) {
            return null;
        }
    }

    /** Adds that a document still carries it. */
    BsonDocument on(BsonDocument filter) {
        filter.put(Fields.RESERVED, Fields.date(reservedMillis));
        filter.put(Fields.TOKEN, new BsonInt64(token));
        return filter;
    }

    /** That of a document; null if it carries none. */
    static @Nullable Fence in(BsonDocument document) {
        var token = document.get(Fields.TOKEN);
        var reserved = document.get(Fields.RESERVED);
        return token != null && token.isInt64() && reserved != null && reserved.isDateTime()
                ? new Fence(token.asInt64().getValue(), reserved.asDateTime().getValue())
                : null;
    }
}
