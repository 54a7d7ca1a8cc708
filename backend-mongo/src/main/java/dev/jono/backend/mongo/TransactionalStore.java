package dev.jono.backend.mongo;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import dev.jono.support.mongo.MongoErrors;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** Stores messages of one queue, keyed or not, within one transaction. Used by one thread. */
final class TransactionalStore {
    private static final InsertManyOptions ORDERED = new InsertManyOptions();

    private final QueueCollection queue;
    private final ClientSession session;
    private final boolean keyed;
    private final long nowMillis;

    TransactionalStore(QueueCollection queue, ClientSession session) {
        this.queue = queue;
        this.session = session;
        this.keyed = queue.layout.maxPerKey() > 0;
        this.nowMillis = queue.link.lastKnownTime().nowMillis();
    }

    /**
     * Stores messages after those that are there. A live message with the same id stays as it is.
     *
     * @throws KeySettingChangedException if the queue is not what this process knows of its keys
     */
    void add(List<IncomingMessage> messages) {
        Found found = find(messages);
        addMissing(found, found.missing(messages));
    }

    /** As {@link #add}, after {@link #find}, for messages that are not there. */
    void addMissing(Found found, List<IncomingMessage> missing) {
        KeyPlaces places = new KeyPlaces(queue, found.documents, nowMillis);
        List<RawBsonDocument> documents = new ArrayList<>();
        for (IncomingMessage message : missing) {
            documents.add(keyed ? message.with(places.last(message.key(), message.dueMillis())) : message.document());
        }
        insert(places, documents);
    }

    /**
     * Puts messages that were taken from a keyed queue back before the others of their keys. Later ones that no
     * consumer holds are blocked again.
     *
     * @param messages sorted by their due times
     */
    void putBack(List<IncomingMessage> messages) {
        Found found = find(messages);
        List<IncomingMessage> missing = found.missing(messages);
        KeyPlaces places = new KeyPlaces(queue, found.documents, nowMillis);
        if (queue.layout.maxPerKey() == 1) {
            new Displacement(queue, session).blockIdle(firstNumbers(missing)).forEach(places::giveWay);
        }
        insert(
                places,
                missing.stream()
                        .map(message -> message.with(places.restored(message.key(), message.dueMillis())))
                        .toList());
    }

    /** By key, the lowest number of these messages. */
    private static Map<String, Long> firstNumbers(List<IncomingMessage> restored) {
        Map<String, Long> firsts = new HashMap<>();
        for (IncomingMessage message : restored) {
            if (message.key() != null) {
                firsts.merge(message.key(), KeyPlaces.restoredNumber(message.dueMillis()), Math::min);
            }
        }
        return firsts;
    }

    /** Gives messages that waited for their due time a place in the order of their keys. */
    void count(List<RawBsonDocument> messages) {
        Set<String> keys = new LinkedHashSet<>();
        messages.forEach(message -> keys.add(later(message)));
        List<BsonValue> ids = KeyDocuments.ids(keys);
        ids.add(KeyDocuments.QUEUE);
        List<RawBsonDocument> documents = read(ids);
        requireKeyed(documents);
        KeyPlaces places = new KeyPlaces(queue, documents, Long.MAX_VALUE);
        List<WriteModel<RawBsonDocument>> changes = new ArrayList<>();
        for (RawBsonDocument message : messages) {
            BsonValue id = Objects.requireNonNull(message.get(Fields.ID));
            BsonDocument place = places.last(later(message), Fields.millis(message, queue.dueField));
            BsonDocument unset = Fields.doc(Fields.LATER, Fields.ONE);
            if (!place.containsKey(queue.dueField)) {
                unset.append(queue.dueField, Fields.ONE);
            }
            changes.add(new UpdateOneModel<>(
                    Fields.doc(Fields.ID, id), Fields.doc("$set", place).append("$unset", unset)));
        }
        List<RawBsonDocument> created = places.created();
        if (!created.isEmpty()) {
            queue.documents.insertMany(session, created, ORDERED);
        }
        queue.write(session, changes);
        places.writeChanged(session);
    }

    private static String later(BsonDocument message) {
        return String.valueOf(KeyGroups.text(message, Fields.LATER));
    }

    /** The documents that a call needs to know: of keys, and of messages with the same ids. */
    record Found(List<RawBsonDocument> documents, Set<BsonValue> live) {
        List<IncomingMessage> missing(List<IncomingMessage> messages) {
            Set<BsonValue> seen = new HashSet<>(live);
            return messages.stream().filter(message -> seen.add(message.id())).toList();
        }
    }

    /**
     * Reads what the store of these messages needs to know. Messages that were consumed make way for new ones of their
     * ids.
     */
    Found find(List<IncomingMessage> messages) {
        Set<String> keys = new LinkedHashSet<>();
        Set<BsonValue> ids = new LinkedHashSet<>();
        for (IncomingMessage message : messages) {
            if (message.key() != null) {
                keys.add(message.key());
            }
            if (!message.fresh()) {
                ids.add(message.id());
            }
        }
        if (keyed) {
            ids.addAll(KeyDocuments.ids(keys));
            ids.add(KeyDocuments.QUEUE);
        }
        List<RawBsonDocument> documents = ids.isEmpty() ? List.of() : read(ids);
        if (keyed) {
            requireKeyed(documents);
        }
        Set<BsonValue> live = new HashSet<>();
        List<BsonValue> consumed = new ArrayList<>();
        for (RawBsonDocument document : documents) {
            (document.containsKey(Fields.PROCESSED) ? consumed : live).add(document.get(Fields.ID));
        }
        if (!consumed.isEmpty()) {
            // A message that comes back replaces its own history.
            queue.documents.deleteMany(session, Fields.doc(Fields.ID, Fields.in(consumed)));
        }
        return new Found(documents, live);
    }

    private List<RawBsonDocument> read(Collection<BsonValue> ids) {
        BsonDocument fields = Fields.doc(Fields.PROCESSED, Fields.ONE)
                .append(Fields.KEYED, Fields.ONE)
                .append(KeyDocuments.USED, Fields.ONE)
                .append(KeyDocuments.LAST, Fields.ONE);
        return queue.find(session, Fields.doc(Fields.ID, Fields.in(List.copyOf(ids))))
                .projection(fields)
                .batchSize(ids.size() + 1)
                .into(new ArrayList<>());
    }

    private void requireKeyed(List<RawBsonDocument> documents) {
        for (RawBsonDocument document : documents) {
            if (KeyDocuments.QUEUE.equals(document.get(Fields.ID))
                    && KeyDocuments.maxPerKey(document) == queue.layout.maxPerKey()) {
                return;
            }
        }
        throw changed();
    }

    private KeySettingChangedException changed() {
        queue.keySetting().forget();
        return new KeySettingChangedException(queue.queueName);
    }

    private void insert(KeyPlaces places, List<RawBsonDocument> messages) {
        if (messages.isEmpty()) {
            return;
        }
        List<RawBsonDocument> documents = new ArrayList<>(places.created());
        documents.addAll(messages);
        try {
            queue.documents.insertMany(session, documents, ORDERED);
        } catch (MongoBulkWriteException refused) {
            if (refused.getWriteErrors().stream().anyMatch(MongoErrors::refusesDocument)) {
                throw changed();
            }
            throw refused;
        }
        places.writeChanged(session);
    }
}
