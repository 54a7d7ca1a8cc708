package dev.jono.backend.bucketmongo;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The fields of a bucket's document, keuss's first, and what queries are made of. */
final class Fields {
    static final String ID = "_id";
    /** The slots: a message each, null once it is consumed. */
    static final String SLOTS = "b";
    /** When the bucket is due; while any of it is held, the last end of a lease. */
    static final String MATURE = "mature";
    /** Messages in the bucket. */
    static final String COUNT = "n";
    /** keuss's reads of the bucket, and what all its messages have in common beyond those. */
    static final String TRIES = "tries";
    /** When somebody took hold of the bucket, or of messages in it. */
    static final String RESERVED = "reserved";

    /** In a slot: the payload. */
    static final String PAYLOAD = "__p";
    /** In a slot: the headers. */
    static final String HEADERS = "__h";
    /** In a slot, Jono's: deliveries beyond the bucket's {@link #TRIES}. */
    static final String SLOT_TRIES = "tries";
    /** In a slot, Jono's: the id of the message, where it is not the place that it has now. */
    static final String FIRST_ID = "id";

    /** Jono's: another number with each of Jono's writes. */
    static final String VERSION = "v";
    /** Jono's: when the messages that nobody holds are due; not there if there are none. */
    static final String FREE = "free";
    /** Jono's, while any of it is held: when the bucket is due. */
    static final String DUE = "due";
    /** Jono's: the first end of a lease. */
    static final String LEASE = "lease";
    /** Jono's: who holds which messages. */
    static final String HELD = "held";
    /** Jono's: of the slots that have {@link #SLOT_TRIES}, the most. */
    static final String MOST_TRIES = "most";
    /** Jono's: {@link #TRIES} at its last write. Is that another number now, then keuss has read the bucket since. */
    static final String SEEN = "seen";

    /** The field in which a query returns the server's clock. */
    static final String SERVER_NOW = "jono_now";

    static final BsonString NOW = new BsonString("$$NOW");
    static final BsonInt32 ONE = new BsonInt32(1);
    static final BsonInt32 ZERO = new BsonInt32(0);

    private Fields() {}

    static BsonDocument doc(String name, BsonValue value) {
        return new BsonDocument(name, value);
    }

    static BsonArray list(BsonValue... values) {
        return new BsonArray(List.of(values));
    }

    static BsonDocument op(String operator, BsonValue... operands) {
        return new BsonDocument(operator, list(operands));
    }

    static BsonString field(String name) {
        return new BsonString('$' + name);
    }

    static BsonDateTime date(long millis) {
        return new BsonDateTime(millis);
    }

    static BsonDocument exists(boolean there) {
        return doc("$exists", BsonBoolean.valueOf(there));
    }

    static BsonDocument in(List<? extends BsonValue> values) {
        return doc("$in", new BsonArray(values));
    }

    static BsonDocument isDate() {
        return doc("$type", new BsonString("date"));
    }

    /** Whether a field holds something; an absent one and null do not. */
    static BsonDocument isPresent(String name) {
        return op("$gt", field(name), BsonNull.VALUE);
    }

    /** Whether a field's time has come, by the server's clock. */
    static BsonDocument isPast(String name) {
        return op("$lte", field(name), NOW);
    }

    /** Whether keuss has not read the bucket since Jono wrote it. */
    static BsonDocument unreadByKeuss() {
        return op("$eq", ifNull(TRIES, ZERO), ifNull(SEEN, ZERO));
    }

    static BsonDocument ifNull(String name, BsonValue otherwise) {
        return op("$ifNull", field(name), otherwise);
    }
}
