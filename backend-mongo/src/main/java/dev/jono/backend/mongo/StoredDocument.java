package dev.jono.backend.mongo;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.PayloadReader;
import java.util.Objects;
import org.bson.BsonNull;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A document of a queue, as it was read. Times are milliseconds since the epoch. Other programs may have written the
 * document, so each field may be missing or have another type; then it counts as missing. Immutable.
 *
 * @param id the value of {@code _id}
 * @param payload the payload; the JSON null if there is none
 * @param hasPayload whether there is a payload
 * @param headers the headers; empty if there are none
 * @param tries the number of reservations; 0 if there is none
 * @param matureMillis the due time, or the end of the lease; 0 if there is none
 * @param blockedMillis the due time of a message that waits for an earlier one of its key, or null
 * @param exactDueMillis {@link Fields#EXACT_DUE}, or null
 * @param reservedMillis the time of the reservation, or null
 * @param dueBeforeMillis the due time before the reservation, or null
 * @param previousReservedMillis {@link Fields#PREVIOUS_RESERVED}, or null
 * @param givenBack whether {@link Fields#RELEASED_BY} is there
 * @param processedMillis the time at which the message was consumed, or null
 * @param key the ordering key of an admitted message of a keyed queue, or null
 * @param laterKey {@link Fields#LATER}, or null
 * @param leads whether later messages of the key were claimed together with this one
 * @param nowMillis the server's clock, if the query asked for it; otherwise 0
 */
record StoredDocument(
        BsonValue id,
        EncodedPayload payload,
        boolean hasPayload,
        Headers headers,
        int tries,
        long matureMillis,
        @Nullable Long blockedMillis,
        @Nullable Long exactDueMillis,
        @Nullable Long reservedMillis,
        @Nullable Long dueBeforeMillis,
        @Nullable Long previousReservedMillis,
        boolean givenBack,
        @Nullable Long processedMillis,
        @Nullable String key,
        @Nullable String laterKey,
        boolean leads,
        long nowMillis) {

    /** The field in which a query returns the server's clock. */
    static final String NOW = "jono_now";

    static StoredDocument read(RawBsonDocument document) {
        try (PayloadReader from = new PayloadReader(document)) {
            return read(from);
        }
    }

    private static StoredDocument read(PayloadReader from) {
        BsonValue id = BsonNull.VALUE;
        Headers headers = Headers.empty();
        long tries = 0;
        Long mature = null;
        Long blocked = null;
        Long was = null;
        Long reserved = null;
        Long due = null;
        Long lapsed = null;
        boolean givenBack = false;
        Long processed = null;
        String key = null;
        String later = null;
        boolean leads = false;
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
                case Fields.MATURE, Fields.AT -> mature = from.date(type);
                case Fields.BLOCKED -> blocked = from.date(type);
                case Fields.EXACT_DUE -> was = from.date(type);
                case Fields.RESERVED -> reserved = from.date(type);
                case Fields.DUE_BEFORE -> due = from.date(type);
                case Fields.PREVIOUS_RESERVED -> lapsed = from.date(type);
                case Fields.RELEASED_BY -> givenBack = isPresent(reader);
                case Fields.PROCESSED -> processed = from.date(type);
                case Fields.KEY -> key = text(reader, type);
                case Fields.LATER -> later = text(reader, type);
                case Fields.LEADS -> leads = isPresent(reader);
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
                blocked,
                was,
                reserved,
                due,
                lapsed,
                givenBack,
                processed,
                key,
                later,
                leads,
                now == null ? 0 : now);
    }

    /** True: the field is there, whatever its value is. */
    private static boolean isPresent(BsonReader reader) {
        reader.skipValue();
        return true;
    }

    private static @Nullable String text(BsonReader reader, BsonType type) {
        if (type == BsonType.STRING) {
            return reader.readString();
        }
        reader.skipValue();
        return null;
    }

    /** Whether no consumer has held the message. Of a document as it was before its claim. */
    boolean isNew() {
        return tries == 0 && reservedMillis == null && !givenBack;
    }

    /** The time of the reservation of a document that was just marked. */
    long requireReservedMillis() {
        return Objects.requireNonNull(reservedMillis, "a marked message has the time of its reservation");
    }

    /** The due time by which a search found the document, also after a claim has marked it. */
    long sortDueMillis() {
        if (blockedMillis != null) {
            return blockedMillis;
        }
        return reservedMillis != null && dueBeforeMillis != null ? dueBeforeMillis : matureMillis;
    }

    /** The due time; of a reserved message, the due time before the reservation. */
    long realDueMillis() {
        long due = sortDueMillis();
        return exactDueMillis != null && exactDueMillis == due + 1 ? exactDueMillis : due;
    }

    /** The message as the engine sees it, without the fields that only a claim or a browse knows. */
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
