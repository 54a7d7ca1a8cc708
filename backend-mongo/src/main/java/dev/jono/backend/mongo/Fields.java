package dev.jono.backend.mongo;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The fields of a message's document, keuss's first, and what queries are made of. */
final class Fields {
    static final String ID = "_id";
    /** When it is due; while it is reserved, the end of the lease. */
    static final String MATURE = "mature";

    static final String PAYLOAD = "payload";
    /** Reservations, the present one included. */
    static final String TRIES = "tries";

    static final String HEADERS = "hdrs";
    /** When it was reserved last; not there if it is not reserved and was not left over from a reservation. */
    static final String RESERVED = "reserved";
    /** The queue, where several share a collection. */
    static final String QUEUE = "_q";
    /** When it was consumed, where it is kept then. */
    static final String PROCESSED = "processed";
    /** Beside {@link #PROCESSED}: it was not consumed, but removed. */
    static final String REMOVED = "removed";

    /** Jono's: with {@link #RESERVED} the fence, the same for all messages of one claim. */
    static final String TOKEN = "token";
    /** Jono's, beside {@link #RESERVED}: when it was due before. */
    static final String DUE_BEFORE = "due";
    /** Jono's, of a message that was claimed alone: when it had been reserved before, if that lease just ended. */
    static final String PREVIOUS_RESERVED = "lapsed";
    /** Jono's: the end of the lease once more, in an index of reservations alone. */
    static final String LEASE = "lease";
    /** Jono's: it is being popped, and about to be deleted. Not counted, unless the lease has ended; without {@link #LEASE}. */
    static final String TAKEN = "taken";
    /** Jono's: the call that gave it back last, so that a repeat of it is known. */
    static final String RELEASED_BY = "released";
    /** Jono's: when it is due, where {@link #MATURE} is a millisecond before, so that it leaves ahead of its equals. */
    static final String EXACT_DUE = "was";

    static final BsonString NOW = new BsonString("$$NOW");
    static final BsonString REMOVE_FIELD = new BsonString("$$REMOVE");
    static final BsonInt32 ONE = new BsonInt32(1);

    private Fields() {}

    static BsonDocument doc(String name, BsonValue value) {
        return new BsonDocument(name, value);
    }

    static BsonDocument op(String operator, BsonValue... operands) {
        return new BsonDocument(operator, new BsonArray(List.of(operands)));
    }

    static BsonString field(String name) {
        return new BsonString('$' + name);
    }

    static BsonDateTime date(long millis) {
        return new BsonDateTime(millis);
    }

    /** So many milliseconds from the server's present. */
    static BsonValue fromNow(long millis) {
        return op("$add", NOW, new BsonInt64(millis));
    }

    static BsonDocument exists(boolean there) {
        return doc("$exists", BsonBoolean.valueOf(there));
    }

    static BsonDocument in(List<? extends BsonValue> values) {
        return doc("$in", new BsonArray(values));
    }

    /** What is due by the server's clock. The type is asked too, as the comparison holds for what is no date. */
    static BsonDocument due(BsonDocument live) {
        BsonDocument filter = live.clone();
        filter.put(MATURE, doc("$type", new BsonString("date")));
        filter.put("$expr", isDue());
        return filter;
    }

    /** Whether the server's clock has reached its date. */
    static BsonDocument isDue() {
        return op("$lte", field(MATURE), NOW);
    }

    /** A date of a document; 0 for what is none, such as an array that holds dates, which a query for them finds. */
    static long millis(BsonDocument document, String field) {
        return document.isDateTime(field) ? document.getDateTime(field).getValue() : 0;
    }

    /** Whether the message is reserved, or left over from a reservation. */
    static BsonDocument isReserved() {
        return op("$gt", field(RESERVED), org.bson.BsonNull.VALUE);
    }

    /** When it was due before it was reserved. */
    static BsonDocument dueBefore() {
        return op("$cond", isReserved(), op("$ifNull", field(DUE_BEFORE), field(MATURE)), field(MATURE));
    }
}
