package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Finds the messages that follow the only admitted ones of their keys, within one transaction on a queue of strict order.
 *
 * <p>Most follow by their numbers, which point lookups find. A range of the index is read only where that fails: MongoDB keeps
 * deleted index entries for some minutes, and a search in an empty range walks over all of them up to the next entry that is
 * left. Used by one thread.
 */
final class Successors {
    /** A message that follows. */
    record Next(@Nullable BsonValue id, long dueMillis) {}

    private final QueueCollection queue;
    private final ClientSession session;
    private final Map<String, Next> found = new HashMap<>();

    private Successors(QueueCollection queue, ClientSession session) {
        this.queue = queue;
        this.session = session;
    }

    /**
     * The next blocked message of each key that has one.
     *
     * @param left by key, the number of the admitted message that leaves
     * @param known by key, documents of keys that were read in this transaction
     */
    static Map<String, Next> find(
            QueueCollection queue, ClientSession session, Map<String, Long> left, Map<String, BsonDocument> known) {
        Successors successors = new Successors(queue, session);
        successors.find(left, successors.documents(left.keySet(), known));
        return successors.found;
    }

    private Map<String, BsonDocument> documents(Set<String> keys, Map<String, BsonDocument> known) {
        Map<String, BsonDocument> all = new HashMap<>(known);
        all.keySet().retainAll(keys);
        Set<String> missing = new HashSet<>(keys);
        missing.removeAll(known.keySet());
        if (!missing.isEmpty()) {
            for (RawBsonDocument document :
                    queue.find(session, Fields.doc(Fields.ID, Fields.in(KeyDocuments.ids(missing))))) {
                String key = KeyDocuments.key(document);
                if (key != null) {
                    all.put(key, document);
                }
            }
        }
        return all;
    }

    private void find(Map<String, Long> left, Map<String, BsonDocument> documents) {
        Map<String, Long> nextNumbers = new HashMap<>();
        Set<String> anyNumber = new HashSet<>();
        documents.forEach((key, document) -> {
            long number = left.getOrDefault(key, 0L);
            if (document.containsKey(KeyDocuments.RETURNED)) {
                anyNumber.add(key);
            } else if (number < document.getNumber(KeyDocuments.LAST).longValue()) {
                nextNumbers.put(key, number + 1);
            }
        });
        findByNumber(nextNumbers);
        nextNumbers.keySet().stream().filter(key -> !found.containsKey(key)).forEach(anyNumber::add);
        findFirst(anyNumber);
    }

    private void findByNumber(Map<String, Long> numbers) {
        if (numbers.isEmpty()) {
            return;
        }
        BsonDocument filter = KeyGroups.ofKeys(Fields.BEHIND, numbers.keySet());
        filter.put(
                Fields.SEQUENCE,
                Fields.in(new HashSet<>(numbers.values())
                        .stream().map(BsonInt64::new).toList()));
        BsonDocument fields = Fields.doc(Fields.BEHIND, Fields.ONE)
                .append(Fields.SEQUENCE, Fields.ONE)
                .append(Fields.BLOCKED, Fields.ONE);
        for (RawBsonDocument message :
                queue.find(session, filter).projection(fields).batchSize(numbers.size() + 1)) {
            String key = String.valueOf(KeyGroups.text(message, Fields.BEHIND));
            long number = message.getNumber(Fields.SEQUENCE).longValue();
            if (number == numbers.getOrDefault(key, -1L)) {
                add(key, message.get(Fields.ID), message);
            }
        }
    }

    /** The server reads one index entry per key. */
    private void findFirst(Collection<String> keys) {
        if (keys.isEmpty()) {
            return;
        }
        String id = "next";
        BsonDocument order = Fields.doc(Fields.BEHIND, Fields.ONE).append(Fields.SEQUENCE, Fields.ONE);
        BsonDocument first = Fields.doc(Fields.ID, Fields.field(Fields.BEHIND))
                .append(id, Fields.doc("$first", Fields.field(Fields.ID)))
                .append(Fields.BLOCKED, Fields.doc("$first", Fields.field(Fields.BLOCKED)));
        List<BsonDocument> stages = new ArrayList<>();
        stages.add(Fields.doc("$match", KeyGroups.ofKeys(Fields.BEHIND, keys)));
        stages.add(Fields.doc("$sort", order));
        stages.add(Fields.doc("$group", first));
        for (RawBsonDocument message : queue.documents.aggregate(session, stages)) {
            add(String.valueOf(KeyGroups.text(message, Fields.ID)), message.get(id), message);
        }
    }

    private void add(String key, @Nullable BsonValue id, BsonDocument message) {
        found.put(key, new Next(id, Fields.millis(message, Fields.BLOCKED)));
    }
}
