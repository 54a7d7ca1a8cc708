package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.WriteModel;
import dev.jono.EditOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * Removes and reschedules messages of a keyed queue that no consumer holds, within one transaction. Used by one thread.
 */
final class KeyedEdits {
    private final QueueCollection queue;
    private final ClientSession session;
    private final boolean strict;

    KeyedEdits(QueueCollection queue, ClientSession session) {
        this.queue = queue;
        this.session = session;
        this.strict = queue.layout.maxPerKey() == 1;
    }

    List<EditOutcome> remove(List<BsonValue> ids) {
        IdleDocuments idle = new IdleDocuments(queue, session, ids);
        queue.consume(session, queue.live(idle.ids()), true);
        new KeyGroups(queue, session).left(idle.documents());
        return idle.outcomes();
    }

    /** Gives messages another due time. A blocked message stays blocked. */
    List<EditOutcome> reschedule(List<BsonValue> ids, long dueMillis) {
        IdleDocuments idle = new IdleDocuments(queue, session, ids);
        boolean later = dueMillis > queue.link.lastKnownTime().nowMillis();
        Map<List<BsonDocument>, List<BsonValue>> idsByChange = new HashMap<>();
        Map<String, Integer> freed = new HashMap<>();
        for (RawBsonDocument message : idle.documents()) {
            String key = KeyGroups.text(message, Fields.KEY);
            boolean uncounts = later && !strict && key != null;
            List<BsonDocument> change = new ArrayList<>(change(message, dueMillis));
            if (uncounts) {
                change.addAll(KeyedReturns.uncount());
                freed.merge(key, 1, Integer::sum);
            }
            idsByChange.computeIfAbsent(change, c -> new ArrayList<>()).add(message.get(Fields.ID));
        }
        List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
        idsByChange.forEach(
                (change, some) -> models.add(new UpdateManyModel<>(Fields.doc(Fields.ID, Fields.in(some)), change)));
        queue.write(session, models);
        new KeyGroups(queue, session).left(freed);
        return idle.outcomes();
    }

    private List<BsonDocument> change(BsonDocument message, long dueMillis) {
        String field = message.containsKey(Fields.BLOCKED) ? Fields.BLOCKED : queue.dueField;
        List<String> unset = Fields.reservation(queue.layout);
        unset.add(Fields.EXACT_DUE);
        unset.remove(Fields.LEADS);
        if (message.containsKey(Fields.FOLLOWS)) {
            unset.remove(Fields.FOLLOWS); // it waits for an earlier message that the same consumer held
        }
        return List.of(Fields.doc("$set", Fields.doc(field, Fields.date(dueMillis))), History.unset(unset));
    }
}
