package dev.jono.backend.mongo;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.PayloadReader;
import java.util.Objects;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What a document tells.
 *
 * @param id as MongoDB has it
 * @param payload the JSON null where there is none
 * @param hasPayload whether there is one
 * @param headers empty where there are none
 * @param tries 0 where there are none
 * @param matureMillis when it is due, or its lease ends; the epoch where it does not say
 * @param exactDueMillis {@link Fields#EXACT_DUE}; null without one
 * @param reservedMillis when it was reserved; null if it is not
 * @param dueBeforeMillis when it was due before; null if that is not there
 * @param previousReservedMillis {@link Fields#PREVIOUS_RESERVED}; null without one
 * @param processedMillis when it was consumed; null if it was not
 * @param nowMillis the server's clock, where it was asked for
 */
record StoredDocument(
        BsonValue id,
        EncodedPayload payload,
        boolean hasPayload,
        Headers headers,
        int tries,
        long matureMillis,
        @Nullable Long exactDueMillis,
        @Nullable Long reservedMillis,
        @Nullable Long dueBeforeMillis,
        @Nullable Long previousReservedMillis,
        @Nullable Long processedMillis,
        long nowMillis) {

    /** The field in which a query returns the server's clock. */
    static final String NOW = "jono_now";

    static StoredDocument read(RawBsonDocument document) {
        try (PayloadReader from = new PayloadReader(document)) {
            return read(from);
        }
    }

    private static StoredDocument read(PayloadReader from) {
        BsonValue id = org.bson.BsonNull.VALUE;
        Headers headers = Headers.empty();
        long tries = 0;
        Long mature = null;
        Long was = null;
        Long reserved = null;
        Long due = null;
        Long lapsed = null;
        Long processed = null;
        Long now = null;
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
                case Fields.EXACT_DUE -> was = from.date(type);
                case Fields.RESERVED -> reserved = from.date(type);
                case Fields.DUE_BEFORE -> due = from.date(type);
                case Fields.PREVIOUS_RESERVED -> lapsed = from.date(type);
                case Fields.PROCESSED -> processed = from.date(type);
                case NOW -> now = from.date(type);
                default -> from.mark(name, type);
            }
        }
        boolean has = from.hasPayload();
        EncodedPayload payload = from.decoded();
        int counted = (int) Math.max(0, Math.min(tries, Integer.MAX_VALUE));
        return new StoredDocument(
                id,
                payload,
                has,
                headers,
                counted,
                mature == null ? 0 : mature,
                was,
                reserved,
                due,
                lapsed,
                processed,
                now == null ? 0 : now);
    }

    /** When it was reserved, as a marking that has just been made has left it. */
    long requireReservedMillis() {
        return Objects.requireNonNull(reservedMillis, "a marked message says when it was reserved");
    }

    /** Where a search met it: when it is due or, as a claim has marked it, about when it was. */
    long sortDueMillis() {
        return reservedMillis != null && dueBeforeMillis != null ? dueBeforeMillis : matureMillis;
    }

    /** When it is due, or was before it was reserved. */
    long realDueMillis() {
        long due = sortDueMillis();
        return exactDueMillis != null && exactDueMillis == due + 1 ? exactDueMillis : due;
    }

    /** As the engine sees it, without what only a claim or a browse knows. */
    StoredMessage.Builder message() {
        return StoredMessage.builder()
                .id(MessageIds.text(id))
                .payload(payload)
                .headers(headers)
                .tries(tries)
                .dueMillis(realDueMillis())
                .fault(hasPayload ? null : "the document has no field 'payload'");
    }
}
