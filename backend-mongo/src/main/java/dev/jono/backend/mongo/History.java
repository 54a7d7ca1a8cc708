package dev.jono.backend.mongo;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Messages that are consumed and kept. */
final class History {
    /** keuss's: far enough that nobody takes it before the TTL monitor does. */
    private static final long FAR = 100;

    private History() {}

    /** What makes a message history. */
    static List<BsonDocument> markConsumed(long historyMillis, boolean removed) {
        BsonDocument set = new BsonDocument(Fields.PROCESSED, Fields.NOW);
        set.put(Fields.MATURE, Fields.fromNow(FAR * historyMillis));
        if (removed) {
            set.put(Fields.REMOVED, BsonBoolean.TRUE);
        }
        return List.of(
                Fields.doc("$set", set),
                unset(Fields.RESERVED, Fields.TOKEN, Fields.LEASE, Fields.DUE_BEFORE, Fields.PREVIOUS_RESERVED, Fields.TAKEN));
    }

    static BsonDocument unset(String... fields) {
        BsonArray names = new BsonArray();
        for (String field : fields) {
            names.add(new BsonString(field));
        }
        return Fields.doc("$unset", names);
    }
}
