package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.Receipt;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.RepeatedReads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * Adds to a claim the messages that follow the claimed ones of the same keys, within one transaction on a queue of
 * strict order. They get the same fence. Used by one thread.
 */
final class KeyedFollowers {
    /** The field in which a query returns the next blocked messages of a key. */
    private static final String NEXT = "next";

    private final QueueCollection queue;
    private final ClientSession session;
    private final ClaimRequest request;
    private final Fence fence;

    /** @param fence the fence of the claimed messages */
    KeyedFollowers(QueueCollection queue, ClientSession session, ClaimRequest request, Fence fence) {
        this.queue = queue;
        this.session = session;
        this.request = request;
        this.fence = fence;
    }

    /** Whether a claim can bring several messages of a key. */
    static boolean possible(QueueCollection queue, ClaimRequest request) {
        return queue.layout.maxPerKey() == 1 && request.maxPerKey() > 1;
    }

    /** The first of some messages, as many as have room together with those that follow them. At least one. */
    static List<StoredDocument> withRoom(QueueCollection queue, ClaimRequest request, List<StoredDocument> heads) {
        Set<String> keys = new LinkedHashSet<>();
        for (StoredDocument head : heads) {
            if (head.key() != null) {
                keys.add(head.key());
            }
        }
        if (heads.size() == 1 || keys.isEmpty()) {
            return heads;
        }
        Map<String, Integer> following = following(queue, keys, request.maxPerKey() - 1);
        int room = request.max();
        for (int i = 0; i < heads.size(); i++) {
            room -= 1 + following.getOrDefault(String.valueOf(heads.get(i).key()), 0);
            if (room <= 0) {
                return heads.subList(0, i + 1);
            }
        }
        return heads;
    }

    /** By key, how many of the next messages are due. */
    private static Map<String, Integer> following(QueueCollection queue, Set<String> keys, int max) {
        BsonArray next = new BsonArray(List.of(
                Fields.doc("$sort", Fields.doc(Fields.SEQUENCE, Fields.ONE)),
                Fields.doc("$limit", new BsonInt32(max)),
                Fields.doc("$match", Fields.doc("$expr", Fields.isDue(Fields.BLOCKED))),
                Fields.doc("$project", Fields.doc(Fields.ID, Fields.ONE))));
        Map<String, Integer> following = new HashMap<>();
        for (RawBsonDocument found : RepeatedReads.all(queue.documents.aggregate(List.of(
                Fields.doc("$match", Fields.doc(Fields.ID, Fields.in(KeyDocuments.ids(keys)))),
                KeyGroups.lookUpBlocked(queue.layout, next, NEXT))))) {
            String key = KeyDocuments.key(found);
            if (key != null) {
                following.put(key, found.getArray(NEXT).size());
            }
        }
        return following;
    }

    /** Claims the followers; returns all messages of the claim, those of a key next to each other. */
    List<StoredMessage> add(List<StoredMessage> claimed) {
        int room = request.max() - claimed.size();
        Map<String, List<StoredDocument>> followers = new LinkedHashMap<>();
        Set<String> waiting = keysWithWaiting(claimed);
        for (StoredMessage head : claimed) {
            String key = head.key();
            if (key != null && waiting.contains(key) && room > 0) {
                List<StoredDocument> next = next(key, Math.min(room, request.maxPerKey() - 1));
                room -= next.size();
                if (!next.isEmpty()) {
                    followers.put(key, next);
                }
            }
        }
        if (followers.isEmpty()) {
            return claimed;
        }
        Map<BsonValue, BsonDocument> marked = mark(followers);
        List<StoredMessage> all = new ArrayList<>();
        for (StoredMessage head : claimed) {
            all.add(head);
            for (StoredDocument follower : followers.getOrDefault(String.valueOf(head.key()), List.of())) {
                all.add(message(follower, marked.getOrDefault(follower.id(), new BsonDocument())));
            }
        }
        return all;
    }

    /** The keys of messages that are still claimed, and of which others wait. */
    private Set<String> keysWithWaiting(List<StoredMessage> claimed) {
        List<BsonValue> ids =
                claimed.stream().map(message -> MessageIds.value(message.id())).toList();
        List<BsonString> keys = new ArrayList<>();
        for (RawBsonDocument held : queue.find(session, fence.on(queue.live(ids), queue.layout))
                .projection(Fields.doc(Fields.KEY, Fields.ONE))) {
            String key = KeyGroups.text(held, Fields.KEY);
            if (key != null) {
                keys.add(new BsonString(key));
            }
        }
        Set<String> waiting = new HashSet<>();
        if (!keys.isEmpty()) {
            queue.documents
                    .distinct(session, Fields.BEHIND, Fields.doc(Fields.BEHIND, Fields.in(keys)), String.class)
                    .forEach(waiting::add);
        }
        return waiting;
    }

    /** The next messages of a key, up to the first that is not due or must come alone. */
    private List<StoredDocument> next(String key, int max) {
        List<StoredDocument> next = new ArrayList<>();
        for (RawBsonDocument raw : queue.find(session, Fields.doc(Fields.BEHIND, new BsonString(key)))
                .sort(Fields.doc(Fields.SEQUENCE, Fields.ONE))
                .limit(max)) {
            StoredDocument message = StoredDocument.read(raw);
            boolean expired = message.reservedMillis() != null;
            boolean alone = message.tries() >= request.isolateTries()
                    || (expired && message.tries() >= request.isolateExpiredTries());
            if (alone || message.sortDueMillis() > fence.reservedMillis()) {
                break;
            }
            next.add(message);
        }
        return next;
    }

    /** Marks the followers, and writes the documents of their keys. Returns the times of the marked messages. */
    private Map<BsonValue, BsonDocument> mark(Map<String, List<StoredDocument>> followers) {
        List<BsonValue> ids = new ArrayList<>();
        List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
        models.add(new UpdateManyModel<>(
                fence.on(KeyGroups.admitted(followers.keySet()), queue.layout),
                Fields.doc("$set", Fields.doc(Fields.LEADS, BsonBoolean.TRUE))));
        followers.forEach((key, messages) -> {
            messages.forEach(message -> ids.add(message.id()));
            BsonDocument more = Fields.doc(KeyDocuments.USED, new BsonInt32(messages.size()));
            models.add(new UpdateOneModel<>(Fields.doc(Fields.ID, KeyDocuments.id(key)), Fields.doc("$inc", more)));
        });
        BsonDocument set = Fields.doc(Fields.AT, Fields.fromNow(request.leaseMillis()))
                .append(Fields.LEASE, Fields.fromNow(request.leaseMillis()))
                .append(Fields.RESERVED, new BsonDateTime(fence.reservedMillis()))
                .append(queue.layout.tokenField(), new BsonInt64(fence.token()))
                .append(Fields.DUE_BEFORE, Fields.field(Fields.BLOCKED))
                .append(Fields.TRIES, Fields.op("$add", Fields.field(Fields.TRIES), Fields.ONE))
                .append(Fields.KEY, Fields.field(Fields.BEHIND))
                .append(Fields.FOLLOWS, BsonBoolean.TRUE);
        models.add(new UpdateManyModel<>(
                Fields.doc(Fields.ID, Fields.in(ids)),
                List.of(Fields.doc("$set", set), History.unset(List.of(Fields.BEHIND, Fields.BLOCKED)))));
        queue.write(session, models);
        Map<BsonValue, BsonDocument> marked = new HashMap<>();
        queue.find(session, queue.live(ids))
                .projection(Fields.doc(Fields.AT, Fields.ONE))
                .forEach(document -> marked.put(document.get(Fields.ID), document));
        return marked;
    }

    private StoredMessage message(StoredDocument found, BsonDocument marked) {
        return found.message()
                .leaseEndMillis(Fields.millis(marked, Fields.AT))
                .state(StoredMessage.State.RESERVED)
                .expired(found.reservedMillis() != null)
                .firstDelivery(found.isNew())
                .receipt(Receipt.of(MessageIds.text(found.id()), fence.text()))
                .build();
    }
}
