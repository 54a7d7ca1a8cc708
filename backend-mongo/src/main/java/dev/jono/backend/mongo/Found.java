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
 * @param wasMillis {@link Fields#WAS}; null without one
 * @param reservedMillis when it was reserved; null if it is not
 * @param dueMillis when it was due before; null if that is not there
 * @param lapsedMillis {@link Fields#LAPSED}; null without one
 * @param processedMillis when it was consumed; null if it was not
 * @param nowMillis the server's clock, where it was asked for
 */
record Found(
        BsonValue id,
        EncodedPayload payload,
        boolean hasPayload,
        Headers headers,
        int tries,
        long matureMillis,
        @Nullable Long wasMillis,
        @Nullable Long reservedMillis,
        @Nullable Long dueMillis,
        @Nullable Long lapsedMillis,
        @Nullable Long processedMillis,
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
        return new Found(
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
    long markedMillis() {
        return Objects.requireNonNull(reservedMillis, "a marked message says when it was reserved");
    }

    /** Where a search met it: when it is due or, as a claim has marked it, about when it was. */
    long foundMillis() {
        return reservedMillis != null && dueMillis != null ? dueMillis : matureMillis;
    }

    /** When it is due, or was before it was reserved. */
    long shownDueMillis() {
        long due = foundMillis();
        return wasMillis != null && wasMillis == due + 1 ? wasMillis : due;
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
