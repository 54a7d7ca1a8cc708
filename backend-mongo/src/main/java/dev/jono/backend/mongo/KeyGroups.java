package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.DeleteManyModel;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.WriteModel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Promotes messages of a keyed queue after others have left, within one transaction. Of each key, as many messages as
 * may be held at once are admitted: they have a due time that a claim finds. The others are blocked.
 *
 * <p>Where one message of a key may be held, the order is strict. Then a message that waits for its due time is
 * admitted too, and blocks the later ones. One holder may have several consecutive messages of a key, which are all
 * admitted. Used by one thread.
 */
final class KeyGroups {
    /** The field in which a query returns the next blocked messages of a key. */
    private static final String NEXT = "next";

    private final QueueCollection queue;
    private final ClientSession session;
    private final int maxPerKey;
    /** By key, the documents of keys that were read in this transaction. */
    private final Map<String, BsonDocument> known;

    private final List<WriteModel<RawBsonDocument>> changes = new ArrayList<>();
    private final List<BsonValue> consumed = new ArrayList<>();
    private final List<BsonValue> promoted = new ArrayList<>();
    private final List<BsonValue> emptied = new ArrayList<>();
    private final Map<Integer, List<BsonValue>> keysByUsed = new HashMap<>();
    private long promotedMillis = Long.MAX_VALUE;

    KeyGroups(QueueCollection queue, ClientSession session) {
        this(queue, session, Map.of());
    }

    /** @param known by key, documents of keys that were read in this transaction */
    KeyGroups(QueueCollection queue, ClientSession session, Map<String, BsonDocument> known) {
        this.queue = queue;
        this.session = session;
        this.known = known;
        this.maxPerKey = queue.layout.maxPerKey();
    }

    /** Adds the fields to a query that {@link #left} needs. */
    static BsonDocument withPlace(BsonDocument fields) {
        return fields.append(Fields.KEY, Fields.ONE)
                .append(Fields.BEHIND, Fields.ONE)
                .append(Fields.SEQUENCE, Fields.ONE)
                .append(Fields.FOLLOWS, Fields.ONE)
                .append(Fields.LEADS, Fields.ONE);
    }

    /** A text of a document; null if it has none. */
    static @Nullable String text(BsonDocument document, String field) {
        return document.isString(field) ? document.getString(field).getValue() : null;
    }

    /** Consumes messages that are not blocked, and admits the next ones of their keys. */
    void consume(List<? extends BsonDocument> messages) {
        messages.forEach(message -> consumed.add(message.get(Fields.ID)));
        BsonDocument filter = queue.live(consumed);
        changes.add(
                queue.layout.historyMillis() == 0
                        ? new DeleteManyModel<>(filter)
                        : new UpdateManyModel<>(filter, History.markConsumed(queue.layout, /* removed= */ false)));
        plan(messages);
        write();
    }

    /** Messages have left the queue: admits the next ones of their keys. Does nothing if the queue is not keyed. */
    void left(Collection<? extends BsonDocument> gone) {
        if (maxPerKey > 0) {
            plan(gone);
            write();
        }
    }

    /**
     * Admits the next messages of keys.
     *
     * @param freed by key, how many messages are not admitted any more
     */
    void left(Map<String, Integer> freed) {
        planCounted(freed);
        write();
    }

    private void plan(Collection<? extends BsonDocument> gone) {
        Map<String, Integer> freed = new HashMap<>();
        Map<String, Long> single = new HashMap<>();
        for (BsonDocument message : gone) {
            String key = text(message, Fields.KEY);
            if (key != null
                    && maxPerKey == 1
                    && !message.containsKey(Fields.FOLLOWS)
                    && !message.containsKey(Fields.LEADS)) {
                single.put(key, message.getNumber(Fields.SEQUENCE).longValue());
            } else if (key != null) {
                freed.merge(key, 1, Integer::sum);
            }
        }
        planSingle(single);
        planCounted(freed);
    }

    /**
     * The only admitted message of each key has left. Then the next one takes its place, and the document of the key
     * does not change.
     *
     * @param left by key, its number
     */
    private void planSingle(Map<String, Long> left) {
        if (left.isEmpty()) {
            return;
        }
        Map<String, Successors.Next> next = Successors.find(queue, session, left, known);
        long now = queue.link.lastKnownTime().nowMillis();
        next.values().forEach(message -> promote(message.id(), message.dueMillis(), now));
        Set<String> empty = new HashSet<>(left.keySet());
        empty.removeAll(next.keySet());
        emptied.addAll(KeyDocuments.ids(empty));
    }

    private void promote(@Nullable BsonValue id, long dueMillis, long now) {
        promoted.add(id);
        promotedMillis = Math.min(promotedMillis, Math.max(now, dueMillis));
    }

    private void planCounted(Map<String, Integer> freed) {
        if (freed.isEmpty()) {
            return;
        }
        Set<String> behindOthers = new HashSet<>();
        int most = freed.values().stream().mapToInt(Integer::intValue).max().orElse(1);
        for (RawBsonDocument found : queue.documents.aggregate(session, states(freed.keySet(), most))) {
            String key = KeyDocuments.key(found);
            if (key != null && freed(found, key, freed.getOrDefault(key, 0)) && maxPerKey == 1) {
                behindOthers.add(key);
            }
        }
        freeFirst(behindOthers);
    }

    /** The documents of keys, each with its first blocked messages. The time is the same in all of them. */
    private List<BsonDocument> states(Collection<String> keys, int most) {
        BsonArray waiting = new BsonArray(List.of(
                Fields.doc("$sort", Fields.doc(Fields.SEQUENCE, Fields.ONE)),
                Fields.doc("$limit", new BsonInt32(Math.min(most, maxPerKey))),
                Fields.doc("$project", Fields.doc(Fields.BLOCKED, Fields.ONE))));
        return List.of(
                Fields.doc("$match", Fields.doc(Fields.ID, Fields.in(KeyDocuments.ids(keys)))),
                lookUpBlocked(queue.layout, waiting, NEXT),
                Fields.doc("$set", Fields.doc(StoredDocument.NOW, Fields.NOW)));
    }

    /**
     * Adds blocked messages to the documents of keys.
     *
     * @param which what to do with all blocked messages of a key
     */
    static BsonDocument lookUpBlocked(Layouts.Layout layout, BsonArray which, String field) {
        BsonDocument lookup = Fields.doc("from", new BsonString(layout.collection()))
                .append("localField", new BsonString(KeyDocuments.KEY_PATH))
                .append("foreignField", new BsonString(Fields.BEHIND))
                .append("pipeline", which)
                .append("as", new BsonString(field));
        return Fields.doc("$lookup", lookup);
    }

    /** Plans the changes of one key; returns whether admitted messages remain that this does not change. */
    private boolean freed(BsonDocument state, String key, int freed) {
        int before = state.getNumber(KeyDocuments.USED).intValue();
        int used = Math.max(0, before - freed);
        int remaining = used;
        long now = Fields.millis(state, StoredDocument.NOW);
        for (BsonValue next : state.getArray(NEXT)) {
            if (used < maxPerKey) {
                used++;
                promote(next.asDocument().get(Fields.ID), Fields.millis(next.asDocument(), Fields.BLOCKED), now);
            }
        }
        if (used == 0) {
            emptied.add(KeyDocuments.id(key));
        } else if (used != before) {
            keysByUsed.computeIfAbsent(used, u -> new ArrayList<>()).add(KeyDocuments.id(key));
        }
        return remaining > 0;
    }

    /**
     * Messages of these keys were claimed together. The first of the remaining ones leads the others now. If its lease
     * has ended, it can be claimed.
     */
    private void freeFirst(Set<String> keys) {
        if (keys.isEmpty()) {
            return;
        }
        List<BsonValue> first = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        long now = queue.link.lastKnownTime().nowMillis();
        BsonDocument remaining = admitted(keys);
        remaining.put(Fields.ID, Fields.doc("$nin", new BsonArray(consumed)));
        for (RawBsonDocument message : queue.find(session, remaining)
                .sort(Fields.doc(Fields.KEY, Fields.ONE).append(Fields.SEQUENCE, Fields.ONE))
                .projection(withPlace(Fields.doc(Fields.BLOCKED, Fields.ONE)))) {
            if (seen.add(String.valueOf(text(message, Fields.KEY))) && message.containsKey(Fields.FOLLOWS)) {
                first.add(message.get(Fields.ID));
                if (message.containsKey(Fields.BLOCKED)) {
                    promotedMillis = Math.min(promotedMillis, Math.max(now, Fields.millis(message, Fields.BLOCKED)));
                }
            }
        }
        if (!first.isEmpty()) {
            BsonDocument free = Fields.doc("$max", new BsonArray(List.of(Fields.field(Fields.BLOCKED), Fields.NOW)));
            BsonDocument isBlocked = Fields.op("$gt", Fields.field(Fields.BLOCKED), BsonNull.VALUE);
            BsonDocument at = Fields.op("$cond", isBlocked, free, Fields.field(Fields.AT));
            changes.add(new UpdateManyModel<>(
                    Fields.doc(Fields.ID, Fields.in(first)),
                    List.of(
                            Fields.doc("$set", Fields.doc(Fields.AT, at).append(Fields.LEADS, BsonBoolean.TRUE)),
                            History.unset(List.of(Fields.FOLLOWS, Fields.BLOCKED)))));
        }
    }

    /** Selects the admitted messages of keys. */
    static BsonDocument admitted(Collection<String> keys) {
        return ofKeys(Fields.KEY, keys);
    }

    static BsonDocument ofKeys(String field, Collection<String> keys) {
        return Fields.doc(field, Fields.in(keys.stream().map(BsonString::new).toList()));
    }

    private void write() {
        if (!promoted.isEmpty()) {
            BsonDocument due = Fields.doc("$max", new BsonArray(List.of(Fields.field(Fields.BLOCKED), Fields.NOW)));
            BsonDocument set = Fields.doc(Fields.AT, due).append(Fields.KEY, Fields.field(Fields.BEHIND));
            changes.add(new UpdateManyModel<>(
                    Fields.doc(Fields.ID, Fields.in(promoted)),
                    List.of(Fields.doc("$set", set), History.unset(List.of(Fields.BEHIND, Fields.BLOCKED)))));
        }
        keysByUsed.forEach((used, keys) -> changes.add(new UpdateManyModel<>(
                Fields.doc(Fields.ID, Fields.in(keys)),
                Fields.doc("$set", Fields.doc(KeyDocuments.USED, new BsonInt32(used))))));
        if (!emptied.isEmpty()) {
            changes.add(new DeleteManyModel<>(Fields.doc(Fields.ID, Fields.in(emptied))));
        }
        queue.write(session, changes);
    }

    /** The earliest due time of the messages that were admitted; empty for none. */
    OptionalLong promotedMillis() {
        return promotedMillis == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(Math.max(1, promotedMillis));
    }
}
