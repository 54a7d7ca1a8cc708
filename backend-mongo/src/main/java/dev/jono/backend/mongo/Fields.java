package dev.jono.backend.mongo;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The fields of a message's document, first those of keuss and then those of Jono, and the parts of queries. */
final class Fields {
    static final String ID = "_id";
    /** The due time; while the message is reserved, the end of the lease. */
    static final String MATURE = "mature";

    static final String PAYLOAD = "payload";
    /** The number of reservations, including the present one. */
    static final String TRIES = "tries";

    static final String HEADERS = "hdrs";
    /** The time of the last reservation. It is missing if the message was never reserved, or was given back. */
    static final String RESERVED = "reserved";
    /** The name of the queue, if several queues share a collection. */
    static final String QUEUE = "_q";
    /** The time at which the message was consumed, if the queue keeps history. */
    static final String PROCESSED = "processed";
    /** With {@link #PROCESSED}: the message was removed, not consumed. */
    static final String REMOVED = "removed";

    /** Jono's: together with {@link #RESERVED} it is the fence. All messages of one claim have the same. */
    static final String TOKEN = "token";
    /** Jono's, with {@link #RESERVED}: the due time before the reservation. */
    static final String DUE_BEFORE = "due";
    /** Jono's, of a message that was claimed alone: the time of the reservation before, if its lease expired. */
    static final String PREVIOUS_RESERVED = "lapsed";
    /** Jono's: the end of the lease again, for an index of reserved messages only. */
    static final String LEASE = "lease";
    /**
     * Jono's: a take is about to delete the message. It is not counted until its lease ends, and has no {@link #LEASE}.
     */
    static final String TAKEN = "taken";
    /**
     * Jono's: the token of the call that released the message last, so that a repetition of the call is recognized. {@link #NO_CALL} if
     * the message was moved, restored, inserted under a given id, or taken back with an earlier one of its key. So it also tells that the
     * message may have been delivered before.
     */
    static final String RELEASED_BY = "released";
    /** Jono's, of a keyed queue: the due time of a message that is not blocked, or the end of its lease. */
    static final String AT = "at";
    /** Jono's, of a keyed queue: the token of a claim. */
    static final String CLAIM = "claim";
    /** Jono's, of a keyed queue: the due time of a blocked message. */
    static final String BLOCKED = "blocked";
    /** Jono's, of a keyed queue: the ordering key of an admitted message. */
    static final String KEY = "key";
    /** Jono's, of a keyed queue: the ordering key of a message that waits for an earlier one. */
    static final String BEHIND = "behind";
    /**
     * Jono's, of a keyed queue that allows several messages per key: the ordering key of a message that is not counted,
     * because it waits for its due time.
     */
    static final String LATER = "later";
    /** Jono's, of a keyed queue: the number of a message within its key. */
    static final String SEQUENCE = "seq";
    /**
     * Jono's, of a keyed queue: the message was claimed together with an earlier one of its key, which is not settled.
     */
    static final String FOLLOWS = "follows";
    /** Jono's, of a keyed queue: other messages of the key were claimed together with this one, which comes first. */
    static final String LEADS = "leads";
    /** Jono's: the maximum number of messages per key, in each document of a keyed queue. */
    static final String KEYED = "keyed";

    /** Jono's: the due time of a restored message, whose {@link #MATURE} is one millisecond earlier to put it first. */
    static final String EXACT_DUE = "was";

    static final BsonString NOW = new BsonString("$$NOW");
    static final BsonString REMOVE_FIELD = new BsonString("$$REMOVE");
    static final BsonInt32 ONE = new BsonInt32(1);

    /** See {@link #RELEASED_BY}. */
    static final BsonInt64 NO_CALL = new BsonInt64(0);

    /** The fields of a reservation, except its token. */
    private static final List<String> RESERVATION = List.of(RESERVED, LEASE, DUE_BEFORE, PREVIOUS_RESERVED, TAKEN);

    /** The fields that place a message in the order of its key. */
    static final List<String> PLACE = List.of(KEY, BEHIND, LATER, SEQUENCE, BLOCKED);

    private Fields() {}

    /** The fields that exist while a message is reserved. */
    static List<String> reservation(Layouts.Layout layout) {
        List<String> fields = new ArrayList<>(RESERVATION);
        fields.add(layout.tokenField());
        if (layout.maxPerKey() > 0) {
            fields.addAll(List.of(FOLLOWS, LEADS));
        }
        return fields;
    }

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

    /** An expression: the server's clock plus some milliseconds. */
    static BsonValue fromNow(long millis) {
        return op("$add", NOW, new BsonInt64(millis));
    }

    static BsonDocument exists(boolean present) {
        return doc("$exists", BsonBoolean.valueOf(present));
    }

    static BsonDocument in(List<? extends BsonValue> values) {
        return doc("$in", new BsonArray(values));
    }

    /**
     * Restricts a filter to messages that are due by the server's clock. It checks the type too: other types compare as
     * smaller.
     */
    static BsonDocument due(BsonDocument live, String dueField) {
        BsonDocument filter = live.clone();
        filter.put(dueField, doc("$type", new BsonString("date")));
        filter.put("$expr", isDue(dueField));
        return filter;
    }

    /** An expression: whether the server's clock has reached the due time. */
    static BsonDocument isDue(String dueField) {
        return op("$lte", field(dueField), NOW);
    }

    /**
     * A date of a document; 0 if the field is no date, for example an array of dates, which a query for dates finds
     * too.
     */
    static long millis(BsonDocument document, String field) {
        return document.isDateTime(field) ? document.getDateTime(field).getValue() : 0;
    }

    /** An expression: whether the message is reserved, or its lease has expired. */
    static BsonDocument isReserved() {
        return op("$gt", field(RESERVED), BsonNull.VALUE);
    }

    /** An expression: the due time; of a reserved message, the due time before the reservation. */
    static BsonDocument dueBefore(String dueField) {
        return op("$cond", isReserved(), op("$ifNull", field(DUE_BEFORE), field(dueField)), field(dueField));
    }

    /** An expression: the tries without the present delivery. */
    static BsonDocument fewerTries() {
        return op("$max", new BsonInt32(0), op("$subtract", field(TRIES), ONE));
    }
}
