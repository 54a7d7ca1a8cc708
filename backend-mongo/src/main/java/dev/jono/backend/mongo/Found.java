package dev.jono.backend.mongo;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.PayloadReader;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * What a document tells.
 *
 * @param id as MongoDB has it
 * @param payload the JSON null where there is none
 * @param hasPayload whether there is one
 * @param headers empty where there are none
 * @param tries 0 where there are none
 * @param matureMillis when it is due, or its lease ends
 * @param wasMillis {@link Fields#WAS}; 0 without one
 * @param reservedMillis when it was reserved; 0 if it is not
 * @param dueMillis when it was due before; 0 if that is not there
 * @param lapsedMillis {@link Fields#LAPSED}; 0 without one
 * @param processedMillis when it was consumed; 0 if it was not
 * @param nowMillis the server's clock, where it was asked for
 */
record Found(
        BsonValue id,
        EncodedPayload payload,
        boolean hasPayload,
        Headers headers,
        int tries,
        long matureMillis,
        long wasMillis,
        long reservedMillis,
        long dueMillis,
        long lapsedMillis,
        long processedMillis,
        long nowMillis) {

    /** The field in which a query returns the server's clock. */
    static final String NOW = "jono_now";

    static Found read(RawBsonDocument document) {
        try (PayloadReader from = new PayloadReader(document)) {
            return read(from);
        }
    }

    private static Found read(PayloadReader from) {
        BsonValue id = org.bson.BsonNull.VALUE;
        Headers headers = Headers.empty();
        long tries = 0;
        long mature = 0;
        long was = 0;
        long reserved = 0;
        long due = 0;
        long lapsed = 0;
        long processed = 0;
        long now = 0;
        var reader = from.reader();
        reader.readStartDocument();
        for (BsonType type = reader.readBsonType(); type != BsonType.END_OF_DOCUMENT; type = reader.readBsonType()) {
            String name = reader.readName();
            switch (name) {
                case Fields.ID -> id = from.id(type);
                case Fields.PAYLOAD -> from.payload();
                case Fields.HEADERS -> headers = from.headers(type);
                case Fields.TRIES -> tries = from.number(type);
                case Fields.MATURE -> mature = from.date(type);
                case Fields.WAS -> was = from.date(type);
                case Fields.RESERVED -> reserved = from.date(type);
                case Fields.DUE -> due = from.date(type);
                case Fields.LAPSED -> lapsed = from.date(type);
                case Fields.PROCESSED -> processed = from.date(type);
                case NOW -> now = from.date(type);
                default -> from.mark(name, type);
            }
        }
        boolean has = from.hasPayload();
        EncodedPayload payload = from.decoded();
        int counted = (int) Math.max(0, Math.min(tries, Integer.MAX_VALUE));
        return new Found(id, payload, has, headers, counted, mature, was, reserved, due, lapsed, processed, now);
    }

    /** Where a search met it: when it is due or, as a claim has marked it, about when it was. */
    long foundMillis() {
        return reservedMillis > 0 && dueMillis > 0 ? dueMillis : matureMillis;
    }

    /** When it is due, or was before it was reserved. */
    long shownDueMillis() {
        long due = foundMillis();
        return wasMillis == due + 1 ? wasMillis : due;
    }

    /** As the engine sees it, without what only a claim or a browse knows. */
    StoredMessage.Builder message() {
        return StoredMessage.builder()
                .id(MessageIds.text(id))
                .payload(payload)
                .headers(headers)
                .tries(tries)
                .dueMillis(shownDueMillis())
                .fault(hasPayload ? null : "the document has no field 'payload'");
    }
}
