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

/** The fields of a bucket's document, keuss's first and then Jono's, and parts of queries. */
final class Fields {
    static final String ID = "_id";
    /** An array of slots: a message each, null once it is removed. */
    static final String SLOTS = "b";
    /** The due time; while a message is held, the last end of a lease. */
    static final String MATURE = "mature";
    /** The number of messages. */
    static final String COUNT = "n";
    /** Deliveries that all messages have had; keuss counts its reads of the bucket here. */
    static final String TRIES = "tries";
    /** When keuss has reserved the bucket, or Jono has claimed messages of it. */
    static final String RESERVED = "reserved";

    /** In a slot: the payload. */
    static final String PAYLOAD = "__p";
    /** In a slot: the headers. */
    static final String HEADERS = "__h";
    /** In a slot, Jono's: deliveries in addition to the bucket's {@link #TRIES}. */
    static final String SLOT_TRIES = "tries";
    /** In a slot, Jono's: the id of the message if it does not name this slot. */
    static final String FIRST_ID = "id";

    /** Jono's: a number that each of its writes changes. */
    static final String VERSION = "v";
    /** Jono's: the due time of the unheld messages; absent if all are held. */
    static final String FREE = "free";
    /** Jono's, while a message is held: the due time. */
    static final String DUE = "due";
    /** Jono's: the first end of a lease. */
    static final String LEASE = "lease";
    /** Jono's: the {@link LeaseGroup}s. */
    static final String HELD = "held";
    /** Jono's: the largest {@link #SLOT_TRIES}. */
    static final String MOST_TRIES = "most";
    /** Jono's: {@link #TRIES} at its last write. If the two differ, keuss has read the bucket since. */
    static final String SEEN = "seen";

    /** The field of a query result that holds the server's time. */
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

    static BsonDocument exists(boolean exists) {
        return doc("$exists", BsonBoolean.valueOf(exists));
    }

    static BsonDocument in(List<? extends BsonValue> values) {
        return doc("$in", new BsonArray(values));
    }

    static BsonDocument isDate() {
        return doc("$type", new BsonString("date"));
    }

    /** An expression: whether a field is present and not null. */
    static BsonDocument isPresent(String name) {
        return op("$gt", field(name), BsonNull.VALUE);
    }

    /** An expression: whether the time in a field is past, by the server's clock. */
    static BsonDocument isPast(String name) {
        return op("$lte", field(name), NOW);
    }

    /** An expression: whether keuss has not read the bucket since Jono wrote it. */
    static BsonDocument unreadByKeuss() {
        return op("$eq", ifNull(TRIES, ZERO), ifNull(SEEN, ZERO));
    }

    static BsonDocument ifNull(String name, BsonValue otherwise) {
        return op("$ifNull", field(name), otherwise);
    }
}
