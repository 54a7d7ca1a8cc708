package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** Blocks admitted messages again, within one transaction on a queue of strict order. Used by one thread. */
final class Displacement {
    private final QueueCollection queue;
    private final ClientSession session;

    Displacement(QueueCollection queue, ClientSession session) {
        this.queue = queue;
        this.session = session;
    }

    /**
     * Blocks the admitted messages of keys of which no message is held, if others come before them. A lease that has
     * ended is over then.
     *
     * @param firsts the keys, and the number of the first message that comes
     * @return by key, how many were blocked
     */
    Map<String, Integer> blockIdle(Map<String, Long> firsts) {
        Map<String, Integer> blocked = new HashMap<>();
        if (firsts.isEmpty()) {
            return blocked;
        }
        Map<String, List<BsonValue>> idle = new HashMap<>();
        Set<String> staying = new HashSet<>();
        for (RawBsonDocument message : queue.find(session, KeyGroups.admitted(firsts.keySet()))
                .projection(KeyGroups.withPlace(HeldState.fields(queue.layout)))) {
            String key = String.valueOf(KeyGroups.text(message, Fields.KEY));
            boolean earlier = number(message) < firsts.getOrDefault(key, Long.MIN_VALUE);
            if (earlier || HeldState.isHeld(message, queue.layout)) {
                staying.add(key);
            } else {
                idle.computeIfAbsent(key, k -> new ArrayList<>()).add(message.get(Fields.ID));
            }
        }
        List<BsonValue> ids = new ArrayList<>();
        idle.forEach((key, messages) -> {
            if (!staying.contains(key)) {
                blocked.put(key, messages.size());
                ids.addAll(messages);
            }
        });
        if (!ids.isEmpty()) {
            queue.update(
                    session,
                    Fields.doc(Fields.ID, Fields.in(ids)),
                    KeyedReturns.takeBack(queue.layout, /* held= */ false));
        }
        return blocked;
    }

    private static long number(RawBsonDocument message) {
        return message.isInt64(Fields.SEQUENCE)
                ? message.getInt64(Fields.SEQUENCE).getValue()
                : 0;
    }
}
