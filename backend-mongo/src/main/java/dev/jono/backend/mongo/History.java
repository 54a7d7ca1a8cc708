package dev.jono.backend.mongo;

import java.util.Collection;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** History: consumed messages that stay in the collection for a time. */
final class History {
    /**
     * As in keuss: the due time is so far in the future that the TTL monitor deletes the message before anyone takes
     * it.
     */
    private static final long DUE_FACTOR = 100;

    private History() {}

    /** The change that turns a message into history. */
    static List<BsonDocument> markConsumed(Layouts.Layout layout, boolean removed) {
        BsonDocument set = new BsonDocument(Fields.PROCESSED, Fields.NOW);
        List<String> unset = Fields.reservation(layout);
        if (layout.maxPerKey() == 0) {
            set.put(Fields.MATURE, Fields.fromNow(DUE_FACTOR * layout.historyMillis()));
        } else {
            unset.add(layout.dueField());
            unset.addAll(Fields.PLACE);
        }
        if (removed) {
            set.put(Fields.REMOVED, BsonBoolean.TRUE);
        }
        return List.of(Fields.doc("$set", set), unset(unset));
    }

    /** Selects history that users still see. The TTL monitor deletes older messages about once a minute. */
    static BsonDocument visible(Layouts.Layout layout) {
        BsonDocument since = Fields.op("$subtract", Fields.NOW, new BsonInt64(layout.historyMillis()));
        BsonDocument filter = Fields.doc(Fields.PROCESSED, Fields.doc("$type", new BsonString("date")));
        filter.put("$expr", Fields.op("$gt", Fields.field(Fields.PROCESSED), since));
        return filter;
    }

    static BsonDocument unset(Collection<String> fields) {
        BsonArray names = new BsonArray();
        for (String field : fields) {
            names.add(new BsonString(field));
        }
        return Fields.doc("$unset", names);
    }
}
