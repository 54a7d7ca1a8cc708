package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import dev.jono.EditOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** Messages that no consumer holds, as a transaction read them, and the outcome for each id that was asked for. */
final class IdleDocuments {
    private final List<RawBsonDocument> documents = new ArrayList<>();
    private final List<EditOutcome> outcomes = new ArrayList<>();

    IdleDocuments(QueueCollection queue, ClientSession session, List<BsonValue> ids) {
        Map<BsonValue, EditOutcome> found = new HashMap<>();
        BsonDocument fields =
                KeyGroups.withPlace(HeldState.fields(queue.layout)).append(Fields.BLOCKED, Fields.ONE);
        for (RawBsonDocument message : queue.find(session, queue.live(ids)).projection(fields)) {
            boolean held = HeldState.isHeld(message, queue.layout);
            found.put(message.get(Fields.ID), held ? EditOutcome.HELD : EditOutcome.DONE);
            if (!held) {
                documents.add(message);
            }
        }
        ids.forEach(id -> outcomes.add(found.getOrDefault(id, EditOutcome.ABSENT)));
    }

    List<RawBsonDocument> documents() {
        return documents;
    }

    List<BsonValue> ids() {
        List<BsonValue> ids = new ArrayList<>();
        documents.forEach(message -> ids.add(message.get(Fields.ID)));
        return ids;
    }

    List<EditOutcome> outcomes() {
        return outcomes;
    }
}
