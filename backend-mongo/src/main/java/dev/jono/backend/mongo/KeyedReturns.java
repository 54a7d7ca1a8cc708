package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.WriteModel;
import dev.jono.spi.Due;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleResult.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * Gives reserved messages of a keyed queue back, within one transaction. Where the order is strict, the later messages
 * of the same key and holder go back with them. Used by one thread.
 */
final class KeyedReturns {
    private final QueueCollection queue;
    private final ClientSession session;
    private final boolean strict;
    private final long nowMillis;
    /** By key, the admitted messages in their order. Only of queues of strict order. */
    private final Map<String, List<RawBsonDocument>> admitted = new HashMap<>();

    private final Map<List<BsonDocument>, List<BsonValue>> idsByChange = new LinkedHashMap<>();
    private final Set<BsonValue> takenBack = new LinkedHashSet<>();
    private final Map<String, Integer> freed = new HashMap<>();

    KeyedReturns(QueueCollection queue, ClientSession session) {
        this.queue = queue;
        this.session = session;
        this.strict = queue.layout.maxPerKey() == 1;
        this.nowMillis = queue.link.lastKnownTime().nowMillis();
    }

    /**
     * Gives messages back.
     *
     * @param change the fields that a release changes
     * @return the earliest due time of the messages that were admitted; empty for none
     */
    OptionalLong release(
            FenceCheck check, ReleaseRequest request, Function<ReleaseRequest.Item, List<BsonDocument>> change) {
        readAdmitted(check);
        for (int i = 0; i < request.items().size(); i++) {
            BsonValue id = check.ids.get(i);
            if (check.fences.get(i) == null) {
                continue;
            }
            if (takenBack.contains(id)) {
                check.outcomes.set(i, Outcome.STALE);
            } else {
                release(id, check.document(id), request.items().get(i), change);
            }
        }
        List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
        idsByChange.forEach(
                (made, ids) -> models.add(new UpdateManyModel<>(Fields.doc(Fields.ID, Fields.in(ids)), made)));
        queue.write(session, models);
        KeyGroups groups = new KeyGroups(queue, session);
        groups.left(freed);
        return groups.promotedMillis();
    }

    private void readAdmitted(FenceCheck check) {
        Set<String> keys = check.keys();
        if (!strict || keys.isEmpty()) {
            return;
        }
        BsonDocument fields = KeyGroups.withPlace(HeldState.fields(queue.layout));
        for (RawBsonDocument message : queue.find(session, KeyGroups.admitted(keys))
                .sort(Fields.doc(Fields.KEY, Fields.ONE).append(Fields.SEQUENCE, Fields.ONE))
                .projection(fields)) {
            admitted.computeIfAbsent(String.valueOf(KeyGroups.text(message, Fields.KEY)), key -> new ArrayList<>())
                    .add(message);
        }
    }

    private void release(
            BsonValue id,
            BsonDocument message,
            ReleaseRequest.Item item,
            Function<ReleaseRequest.Item, List<BsonDocument>> change) {
        String key = KeyGroups.text(message, Fields.KEY);
        boolean blocks = false;
        boolean uncounts = false;
        if (key != null && strict) {
            blocks = takeBackFrom(id, admitted.getOrDefault(key, new ArrayList<>()), key);
        } else if (key != null) {
            Due due = item.due();
            uncounts = due != null && due.resolve(nowMillis) > nowMillis;
        }
        List<BsonDocument> changes = new ArrayList<>(change.apply(item));
        if (blocks) {
            changes.addAll(block());
            freed.merge(String.valueOf(key), 1, Integer::sum);
        }
        if (uncounts) {
            changes.addAll(uncount());
            freed.merge(String.valueOf(key), 1, Integer::sum);
        }
        idsByChange.computeIfAbsent(changes, c -> new ArrayList<>()).add(id);
    }

    /** The change of a released message that waits for earlier ones again. */
    private static List<BsonDocument> block() {
        BsonDocument set =
                Fields.doc(Fields.BLOCKED, Fields.field(Fields.AT)).append(Fields.BEHIND, Fields.field(Fields.KEY));
        return List.of(Fields.doc("$set", set), History.unset(List.of(Fields.AT, Fields.KEY)));
    }

    /** The change of a message that is not counted any more, because it waits for its due time. */
    static List<BsonDocument> uncount() {
        return List.of(
                Fields.doc("$set", Fields.doc(Fields.LATER, Fields.field(Fields.KEY))),
                History.unset(List.of(Fields.KEY, Fields.SEQUENCE)));
    }

    /**
     * Takes the messages after one from their holder, and the one itself from the admitted messages unless it is the
     * first.
     *
     * @return whether an earlier message of the key is admitted
     */
    private boolean takeBackFrom(BsonValue id, List<RawBsonDocument> ofKey, String key) {
        int index = 0;
        while (index < ofKey.size() && !id.equals(ofKey.get(index).get(Fields.ID))) {
            index++;
        }
        boolean behindAnother = index > 0;
        for (int i = ofKey.size() - 1; i > index; i--) {
            RawBsonDocument later = ofKey.remove(i);
            BsonValue laterId = later.get(Fields.ID);
            if (laterId != null && takenBack.add(laterId)) {
                idsByChange
                        .computeIfAbsent(
                                takeBack(queue.layout, HeldState.isHeld(later, queue.layout)), c -> new ArrayList<>())
                        .add(laterId);
                freed.merge(key, 1, Integer::sum);
            }
        }
        if (behindAnother && index < ofKey.size()) {
            ofKey.remove(index);
        }
        return behindAnother;
    }

    /**
     * The change that takes a message from its holder, because an earlier one of its key goes back or to another
     * holder.
     *
     * @param held whether its lease has not ended; otherwise its delivery counts
     */
    static List<BsonDocument> takeBack(Layouts.Layout layout, boolean held) {
        BsonDocument due = Fields.op("$ifNull", Fields.field(Fields.DUE_BEFORE), Fields.field(Fields.AT));
        BsonDocument set = Fields.doc(Fields.BLOCKED, Fields.op("$ifNull", Fields.field(Fields.BLOCKED), due))
                .append(Fields.BEHIND, Fields.field(Fields.KEY))
                .append(Fields.RELEASED_BY, Fields.NO_CALL);
        if (held) {
            set.append(Fields.TRIES, Fields.fewerTries());
        }
        List<String> unset = Fields.reservation(layout);
        unset.addAll(List.of(Fields.AT, Fields.KEY));
        return List.of(Fields.doc("$set", set), History.unset(unset));
    }
}
