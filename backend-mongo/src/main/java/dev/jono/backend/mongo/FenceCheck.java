package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.support.mongo.CallTokens;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.RepeatedReads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The state of the reservations of one request, as a query found it: which fences still hold, and what became of the
 * other messages. Lists have one entry per receipt. Used by one thread.
 */
final class FenceCheck {
    final List<BsonValue> ids = new ArrayList<>();
    /** Null where the reservation has ended. */
    final List<@Nullable Fence> fences = new ArrayList<>();

    final List<Outcome> outcomes = new ArrayList<>();
    /** The messages that are still reserved, each once. */
    final Map<Fence, List<BsonValue>> idsByFence = new LinkedHashMap<>();

    private final Map<BsonValue, BsonDocument> present = new HashMap<>();
    /** By key, the documents of the ordering keys that the receipts name. */
    final Map<String, BsonDocument> keyDocuments = new HashMap<>();
    /** When the first of their leases ends. */
    long firstLeaseEndMillis = Long.MAX_VALUE;

    private final Layouts.Layout layout;

    private FenceCheck(Layouts.Layout layout) {
        this.layout = layout;
    }

    /**
     * Reads the fences, and on a queue of strict order the documents of the keys.
     *
     * @param token the token of the call
     */
    static FenceCheck read(
            QueueCollection queue, @Nullable ClientSession session, List<Receipt> receipts, String token) {
        FenceCheck check = new FenceCheck(queue.layout);
        receipts.forEach(receipt -> check.ids.add(MessageIds.value(receipt.id())));
        BsonDocument fields = Fields.doc(Fields.RESERVED, Fields.ONE)
                .append(queue.layout.tokenField(), Fields.ONE)
                .append(queue.dueField, Fields.ONE)
                .append(Fields.RELEASED_BY, Fields.ONE);
        List<BsonValue> wanted = new ArrayList<>(check.ids);
        if (queue.layout.maxPerKey() > 0) {
            KeyGroups.withPlace(fields);
        }
        if (queue.layout.maxPerKey() == 1) {
            KeyDocuments.withState(fields);
            wanted.addAll(KeyDocuments.ids(keys(receipts)));
        }
        BsonDocument filter = queue.live(wanted);
        if (wanted.size() > check.ids.size()) {
            filter.remove(Fields.TRIES); // documents of keys have none
        }
        Map<BsonValue, BsonDocument> present = check.present;
        for (RawBsonDocument document :
                RepeatedReads.all(queue.find(session, filter).projection(fields).batchSize(wanted.size() + 1))) {
            String key = KeyDocuments.key(document);
            if (key == null) {
                present.put(document.get(Fields.ID), document);
            } else {
                check.keyDocuments.put(key, document);
            }
        }
        BsonInt64 call = new BsonInt64(CallTokens.hash(token));
        Set<BsonValue> seen = new HashSet<>();
        for (int i = 0; i < receipts.size(); i++) {
            BsonValue id = check.ids.get(i);
            check.add(id, Fence.of(receipts.get(i)), present.get(id), call, seen);
        }
        return check;
    }

    private static Set<String> keys(List<Receipt> receipts) {
        Set<String> keys = new HashSet<>();
        for (Receipt receipt : receipts) {
            String key = HeldKey.of(receipt);
            if (key != null) {
                keys.add(key);
            }
        }
        return keys;
    }

    private void add(
            BsonValue id, @Nullable Fence fence, @Nullable BsonDocument document, BsonInt64 call, Set<BsonValue> seen) {
        boolean holds = document != null && fence != null && fence.equals(Fence.in(document, layout));
        fences.add(holds ? fence : null);
        // An earlier attempt of this call, whose answer was lost, released the message.
        boolean released = document != null && call.equals(document.get(Fields.RELEASED_BY));
        outcomes.add(holds || released ? Outcome.DONE : document == null ? Outcome.GONE : Outcome.STALE);
        if (document != null && fence != null && holds && seen.add(id)) {
            idsByFence.computeIfAbsent(fence, f -> new ArrayList<>()).add(id);
            firstLeaseEndMillis = Math.min(firstLeaseEndMillis, leaseEndMillis(document, layout));
        }
    }

    private static long leaseEndMillis(BsonDocument reserved, Layouts.Layout layout) {
        BsonValue end = reserved.get(layout.dueField());
        return end != null && end.isDateTime() ? end.asDateTime().getValue() : 0;
    }

    /** The ids of the messages that are still reserved. */
    List<BsonValue> held() {
        return idsByFence.values().stream().flatMap(List::stream).toList();
    }

    /** What was read of a message that is still reserved. */
    BsonDocument document(BsonValue id) {
        return present.getOrDefault(id, new BsonDocument());
    }

    /** What was read of the messages that are still reserved. */
    List<BsonDocument> heldDocuments() {
        return held().stream().map(this::document).toList();
    }

    /** The ordering keys of the messages that are still reserved. */
    Set<String> keys() {
        Set<String> keys = new HashSet<>();
        for (BsonDocument message : heldDocuments()) {
            String key = KeyGroups.text(message, Fields.KEY);
            if (key != null) {
                keys.add(key);
            }
        }
        return keys;
    }

    /** The number of messages that are still reserved. */
    long heldCount() {
        return idsByFence.values().stream().mapToLong(List::size).sum();
    }
}
