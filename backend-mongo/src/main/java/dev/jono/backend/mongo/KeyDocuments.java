package dev.jono.backend.mongo;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The documents of a keyed queue that are no messages. The document of the queue marks the collection as keyed. The
 * document of a key exists while the key has admitted or blocked messages. Transactions that would not see each other's
 * changes of a key both write its document, so that one of them is repeated. Stateless.
 */
final class KeyDocuments {
    /** How many messages of the key are admitted. */
    static final String USED = "used";
    /** The highest number that a message of the key got. Each transaction that adds messages raises it. */
    static final String LAST = "last";
    /** How many messages of the key came back after they were taken; missing for none. They are before the others. */
    static final String RETURNED = "returned";

    /** In the {@code _id}: the ordering key; empty in the document of the queue, because no ordering key is empty. */
    private static final String KEY_IN_ID = "key";

    /** The {@code _id} of the document of the queue. */
    static final BsonDocument QUEUE = id("");

    /** The path of the ordering key in a document of a key. */
    static final String KEY_PATH = Fields.ID + '.' + KEY_IN_ID;

    private KeyDocuments() {}

    /** The {@code _id} of the document of a key. */
    static BsonDocument id(String key) {
        return new BsonDocument(KEY_IN_ID, new BsonString(key));
    }

    static List<BsonValue> ids(Collection<String> keys) {
        List<BsonValue> ids = new ArrayList<>(keys.size() + 1);
        keys.forEach(key -> ids.add(id(key)));
        return ids;
    }

    /** The ordering key of a document of a key; null if it is another document. */
    static @Nullable String key(BsonDocument document) {
        BsonValue id = document.get(Fields.ID);
        return id != null && id.isDocument() && id.asDocument().isString(KEY_IN_ID) && document.containsKey(USED)
                ? id.asDocument().getString(KEY_IN_ID).getValue()
                : null;
    }

    /** Adds the fields to a query that tell which messages of a key wait. */
    static BsonDocument withState(BsonDocument fields) {
        return fields.append(USED, Fields.ONE).append(LAST, Fields.ONE).append(RETURNED, Fields.ONE);
    }

    /** The document that marks a collection as keyed. */
    static BsonDocument queue(int maxPerKey) {
        return new BsonDocument(Fields.ID, QUEUE).append(Fields.KEYED, new BsonInt32(maxPerKey));
    }

    static BsonDocument ofKey(String key, int maxPerKey, int used, long last) {
        return new BsonDocument(Fields.ID, id(key))
                .append(Fields.KEYED, new BsonInt32(maxPerKey))
                .append(USED, new BsonInt32(used))
                .append(LAST, new BsonInt64(last));
    }

    /** The setting in the document of the queue; 0 if there is none. */
    static int maxPerKey(@Nullable BsonDocument queue) {
        return queue != null && queue.isNumber(Fields.KEYED)
                ? queue.getNumber(Fields.KEYED).intValue()
                : 0;
    }
}
