package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.WriteModel;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.RepeatedReads;
import dev.jono.support.mongo.Transactions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * What a take or a claim on a keyed queue does before it marks messages. A claim itself is no transaction, so a process
 * that dies does not keep others from claiming. Blocks the calling thread; thread-safe.
 */
final class KeyedClaims {
    private final QueueCollection queue;
    private final Transactions transactions;
    private final boolean strict;

    KeyedClaims(QueueCollection queue) {
        this.queue = queue;
        this.transactions = new Transactions(queue.link);
        this.strict = queue.layout.maxPerKey() == 1;
    }

    /**
     * Prepares messages that were found due.
     *
     * @return whether the search must be repeated, because some of them are blocked now
     */
    boolean prepare(String step, List<StoredDocument> due) {
        return strict ? takeBackBehindExpired(step, due) : countDue(step, due);
    }

    // ---- strict order
    // -------------------------------------------------------------------------------------------------

    /**
     * The leases of some messages have ended. If they were claimed together with later ones of their keys, these must
     * not stay with the old holder when a new one gets the first.
     */
    private boolean takeBackBehindExpired(String step, List<StoredDocument> due) {
        Set<String> keys = new LinkedHashSet<>();
        for (StoredDocument message : due) {
            if (message.key() != null && (message.leads() || message.reservedMillis() != null)) {
                keys.add(message.key());
            }
        }
        if (!keys.isEmpty() && RepeatedReads.first(queue.find(null, followers(keys))) != null) {
            transactions.run(step, queue.queueName, session -> takeBackFollowers(session, keys), anew());
        }
        return false;
    }

    private static BsonDocument followers(Collection<String> keys) {
        return KeyGroups.admitted(keys).append(Fields.FOLLOWS, Fields.exists(true));
    }

    private OptionalLong takeBackFollowers(ClientSession session, Collection<String> keys) {
        Map<Boolean, List<BsonValue>> byHeld = new HashMap<>();
        Map<String, Integer> freed = new HashMap<>();
        BsonDocument fields = HeldState.fields(queue.layout).append(Fields.KEY, Fields.ONE);
        for (RawBsonDocument message : queue.find(session, followers(keys)).projection(fields)) {
            byHeld.computeIfAbsent(HeldState.isHeld(message, queue.layout), held -> new ArrayList<>())
                    .add(message.get(Fields.ID));
            freed.merge(String.valueOf(KeyGroups.text(message, Fields.KEY)), 1, Integer::sum);
        }
        List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
        byHeld.forEach((held, ids) -> models.add(new UpdateManyModel<>(
                Fields.doc(Fields.ID, Fields.in(ids)), KeyedReturns.takeBack(queue.layout, held))));
        queue.write(session, models);
        KeyGroups groups = new KeyGroups(queue, session);
        groups.left(freed);
        return groups.promotedMillis();
    }

    /** A step before a claim: if its answer is lost, a repetition of the claim makes it again. */
    private static <R> RepeatableCalls.Running<R> anew() {
        return outcome -> {};
    }

    // ---- a limit per key
    // ----------------------------------------------------------------------------------------------

    /** Messages that waited for their due time count from now on. Those whose key has no room are blocked. */
    private boolean countDue(String step, List<StoredDocument> due) {
        List<StoredDocument> uncounted =
                due.stream().filter(message -> message.laterKey() != null).toList();
        if (uncounted.isEmpty()) {
            return false;
        }
        return transactions.run(step, queue.queueName, session -> count(session, uncounted), anew());
    }

    private boolean count(ClientSession session, List<StoredDocument> uncounted) {
        BsonDocument filter =
                queue.live(uncounted.stream().map(StoredDocument::id).toList());
        filter.put(Fields.LATER, Fields.exists(true));
        List<RawBsonDocument> still = queue.find(session, filter)
                .sort(Fields.doc(queue.dueField, Fields.ONE))
                .projection(Fields.doc(Fields.LATER, Fields.ONE).append(queue.dueField, Fields.ONE))
                .into(new ArrayList<>());
        new TransactionalStore(queue, session).count(still);
        return true;
    }
}
