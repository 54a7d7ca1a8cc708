package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.WriteModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * Gives messages that are added to a keyed queue their places in the order of their keys, within one transaction. Each
 * change of a key writes its document, so that a promotion at the same time is repeated. Used by one thread.
 */
final class KeyPlaces {
    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

    /**
     * New messages have numbers above zero. A restored one has its due time less this: a number below zero. All
     * messages that were taken came before those that are still there, and the due times tell their order.
     */
    private static final long RESTORED = 1L << 60;

    private final QueueCollection queue;
    private final int maxPerKey;
    private final long nowMillis;
    private final Map<String, Group> groups = new HashMap<>();

    /** What is known of one key. */
    private static final class Group {
        final boolean stored;
        final int usedBefore;
        final long lastBefore;
        int used;
        long last;
        int returned;

        Group(@Nullable BsonDocument document) {
            stored = document != null;
            usedBefore =
                    document == null ? 0 : document.getNumber(KeyDocuments.USED).intValue();
            lastBefore =
                    document == null ? 0 : document.getNumber(KeyDocuments.LAST).longValue();
            used = usedBefore;
            last = lastBefore;
        }

        BsonDocument change() {
            BsonDocument change = new BsonDocument(KeyDocuments.USED, new BsonInt32(used - usedBefore))
                    .append(KeyDocuments.LAST, new BsonInt64(last - lastBefore));
            return returned == 0 ? change : change.append(KeyDocuments.RETURNED, new BsonInt32(returned));
        }
    }

    /** @param documents the documents of keys that exist */
    KeyPlaces(QueueCollection queue, Iterable<? extends BsonDocument> documents, long nowMillis) {
        this.queue = queue;
        this.maxPerKey = queue.layout.maxPerKey();
        this.nowMillis = nowMillis;
        for (BsonDocument document : documents) {
            String key = KeyDocuments.key(document);
            if (key != null) {
                groups.put(key, new Group(document));
            }
        }
    }

    private Group group(String key) {
        return groups.computeIfAbsent(key, unknown -> new Group(null));
    }

    /** Whether a message with a key is not part of the order yet, because it waits for its due time. */
    private boolean later(long dueMillis) {
        return maxPerKey > 1 && dueMillis > nowMillis;
    }

    /** The fields of a message that becomes the last of its key. */
    BsonDocument last(@Nullable String key, long dueMillis) {
        if (key == null || later(dueMillis)) {
            return independent(key, dueMillis);
        }
        return place(key, ++group(key).last, dueMillis);
    }

    /** The fields of a message that was taken and comes back. */
    BsonDocument restored(@Nullable String key, long dueMillis) {
        if (key == null || later(dueMillis)) {
            return independent(key, dueMillis);
        }
        group(key).last++; // so that the document of the key changes in any case
        group(key).returned++;
        return place(key, restoredNumber(dueMillis), dueMillis);
    }

    /** The number of a restored message. */
    static long restoredNumber(long dueMillis) {
        return dueMillis - RESTORED;
    }

    /** Messages of a key are not admitted any more, because earlier ones come back. */
    void giveWay(String key, int messages) {
        group(key).used -= messages;
    }

    private static BsonDocument independent(@Nullable String key, long dueMillis) {
        BsonDocument fields = Fields.doc(Fields.AT, Fields.date(dueMillis));
        return key == null ? fields : fields.append(Fields.LATER, new BsonString(key));
    }

    private BsonDocument place(String key, long number, long dueMillis) {
        Group group = group(key);
        BsonDocument fields = Fields.doc(Fields.SEQUENCE, new BsonInt64(number));
        if (group.used < maxPerKey) {
            group.used++;
            return fields.append(Fields.KEY, new BsonString(key)).append(Fields.AT, Fields.date(dueMillis));
        }
        return fields.append(Fields.BEHIND, new BsonString(key)).append(Fields.BLOCKED, Fields.date(dueMillis));
    }

    /** The documents of keys that have none yet. */
    List<RawBsonDocument> created() {
        List<RawBsonDocument> created = new ArrayList<>();
        groups.forEach((key, group) -> {
            if (!group.stored) {
                BsonDocument document = KeyDocuments.ofKey(key, maxPerKey, group.used, group.last);
                if (group.returned > 0) {
                    document.append(KeyDocuments.RETURNED, new BsonInt32(group.returned));
                }
                created.add(new RawBsonDocument(document, DOCUMENTS));
            }
        });
        return created;
    }

    /** Writes the documents of keys that exist. Keys that change alike share one update. */
    void writeChanged(ClientSession session) {
        Map<BsonDocument, List<BsonValue>> keysByChange = new LinkedHashMap<>();
        groups.forEach((key, group) -> {
            if (group.stored) {
                keysByChange
                        .computeIfAbsent(group.change(), change -> new ArrayList<>())
                        .add(KeyDocuments.id(key));
            }
        });
        List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
        keysByChange.forEach((change, keys) ->
                models.add(new UpdateManyModel<>(Fields.doc(Fields.ID, Fields.in(keys)), Fields.doc("$inc", change))));
        queue.write(session, models);
    }
}
