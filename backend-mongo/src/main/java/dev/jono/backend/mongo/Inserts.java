package dev.jono.backend.mongo;

import com.mongodb.bulk.BulkWriteError;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Headers;
import dev.jono.StorageException;
import dev.jono.spi.Due;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.InsertResult.Item;
import dev.jono.spi.NewMessage;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.PayloadWriter;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.RepeatableInsert;
import dev.jono.support.mongo.RepeatableWrite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonSerializationException;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** Puts messages into a queue: new ones, and those that were taken and not handed out. */
final class Inserts {
    /** For what a claim adds, and the headers of a dead letter. */
    static final int MARGIN = 16 << 10;

    /** The server's limit, less that. */
    private static final int MAX_DOCUMENT = (16 << 20) - MARGIN;

    private final QueueCollection queue;

    Inserts(QueueCollection queue) {
        this.queue = queue;
    }

    static EncodingException refused(String step, String queue, @Nullable String id, @Nullable String why) {
        String message = id == null ? "" : ", message " + id;
        return new EncodingException(
                step + " on queue '" + queue + "'" + message + " was refused, as MongoDB cannot hold it: " + why,
                queue,
                id,
                null);
    }

    /** Now as it is at least, so that it is due at once; a delay from when it is at most, so that it is not early. */
    static long matureMillis(QueueCollection queue, Due due) {
        if (due.absolute()) {
            return due.millis();
        }
        return due.millis() == 0
                ? queue.link.time().nowMillis()
                : queue.link.time().latestMillis() + due.millis();
    }

    InsertResult insert(InsertRequest request) {
        if (request.messages().isEmpty()) {
            return InsertResult.builder().build();
        }
        RepeatableCalls<InsertResult> calls = queue.memory().inserts;
        InsertResult result = calls.run(request.token(), way -> queue.store("push", () -> inserted(request, way)));
        if (request.messages().stream().anyMatch(message -> message.due().absolute())) {
            queue.scanStart().reset(); // it may be due before what was taken last
        }
        return result;
    }

    private InsertResult inserted(InsertRequest request, RepeatableCalls.Way<InsertResult> way) {
        // One reading for the whole list, so that it leaves in its order.
        long now = queue.link.time().nowMillis();
        List<Item> items = new ArrayList<>();
        List<RawBsonDocument> documents = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        for (NewMessage message : request.messages()) {
            Due due = message.due();
            long mature = due.absolute() || due.millis() > 0 ? matureMillis(queue, due) : now;
            BsonValue id = message.id() == null ? MessageIds.fresh() : MessageIds.value(message.id());
            try {
                documents.add(document(
                        id, mature, null, message.payload(), message.headers(), message.tries(), message.id()));
                places.add(items.size());
                items.add(Item.stored(MessageIds.text(id)));
            } catch (EncodingException refused) {
                items.add(Item.failed(refused));
            }
        }
        return stored(documents, places, items, now, way);
    }

    InsertResult restore(RestoreRequest request) {
        if (request.messages().isEmpty()) {
            return InsertResult.builder().build();
        }
        RepeatableCalls<InsertResult> calls = queue.memory().inserts;
        InsertResult result = calls.run(request.token(), way -> queue.store("restore", () -> restored(request, way)));
        queue.scanStart().reset();
        return result;
    }

    private InsertResult restored(RestoreRequest request, RepeatableCalls.Way<InsertResult> way) {
        long now = queue.link.time().nowMillis();
        if (!queue.layout.holdsHistory()) {
            return inserted(request, Set.of(), now, way);
        }
        // What was taken is there as history: it becomes a message again, in its old place.
        List<WriteModel<RawBsonDocument>> models = revival(request.messages());
        new RepeatableWrite<>(queue.link, "restore", queue.name, session -> queue.write(session, models))
                .send(again -> {
                    if (queue.transactional()) {
                        way.leave(() -> {
                            // Without a number it would revive once more what others have consumed by then.
                            if (again.get().isEmpty()) {
                                throw MongoErrors.untold("restore", queue.name);
                            }
                            return Optional.of(behindRevival(request, now, way));
                        });
                    }
                });
        return behindRevival(request, now, way);
    }

    /** A repetition does not revive again what others have consumed since. */
    private InsertResult behindRevival(RestoreRequest request, long now, RepeatableCalls.Way<InsertResult> way) {
        way.leave(() -> Optional.of(behindRevival(request, now, way)));
        return queue.store(
                "restore",
                () -> queue.afterChange("restore", () -> {
                    Set<BsonValue> there = new HashSet<>();
                    List<BsonValue> ids = request.messages().stream()
                            .map(message -> MessageIds.value(message.id()))
                            .toList();
                    queue.find(null, Fields.doc(Fields.ID, Fields.in(ids)))
                            .projection(Fields.doc(Fields.ID, Fields.ONE))
                            .forEach(document -> there.add(document.get(Fields.ID)));
                    return inserted(request, there, now, way);
                }));
    }

    private InsertResult inserted(
            RestoreRequest request, Set<BsonValue> revived, long now, RepeatableCalls.Way<InsertResult> way) {
        List<Item> items = request.messages().stream()
                .map(message -> Item.stored(message.id()))
                .toList();
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            if (!revived.contains(MessageIds.value(request.messages().get(i).id()))) {
                places.add(i);
            }
        }
        // In the order in which they were taken.
        places.sort(
                Comparator.<Integer>comparingLong(i -> request.messages().get(i).dueMillis())
                        .thenComparing(i -> request.messages().get(i).id()));
        List<RawBsonDocument> documents = places.stream()
                .map(i -> restored(request.messages().get(i), now))
                .toList();
        return stored(documents, places, items, now, way);
    }

    /** Ahead of its equals: those before it were taken too. Nothing that is still to come may be early. */
    private RawBsonDocument restored(StoredMessage message, long now) {
        boolean ahead = message.dueMillis() <= now;
        return document(
                MessageIds.value(message.id()),
                ahead ? message.dueMillis() - 1 : message.dueMillis(),
                ahead ? (Long) message.dueMillis() : null,
                message.payload(),
                message.headers(),
                message.tries(),
                message.id());
    }

    /** In one command, so that it can be sent again. */
    private static List<WriteModel<RawBsonDocument>> revival(List<StoredMessage> messages) {
        List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
        for (StoredMessage message : messages) {
            BsonDocument set = Fields.doc(Fields.MATURE, Fields.date(message.dueMillis()))
                    .append(Fields.TRIES, new BsonInt32(message.tries()));
            BsonDocument unset = Fields.doc(Fields.PROCESSED, BsonBoolean.TRUE)
                    .append(Fields.REMOVED, BsonBoolean.TRUE)
                    .append(Fields.EXACT_DUE, BsonBoolean.TRUE);
            models.add(new UpdateOneModel<>(
                    Fields.doc(Fields.ID, MessageIds.value(message.id())).append(Fields.PROCESSED, Fields.exists(true)),
                    Fields.doc("$set", set).append("$unset", unset)));
        }
        return models;
    }

    private RawBsonDocument document(
            BsonValue id,
            long matureMillis,
            @Nullable Long exactDueMillis,
            EncodedPayload payload,
            Headers headers,
            int tries,
            @Nullable String givenId) {
        PayloadWriter to = new PayloadWriter(payload.size() + 160);
        try {
            var writer = to.writer();
            writer.writeStartDocument();
            if (id instanceof BsonObjectId oid) {
                writer.writeObjectId(Fields.ID, oid.getValue());
            } else {
                to.value(Fields.ID, id);
            }
            writer.writeDateTime(Fields.MATURE, matureMillis);
            to.payload(Fields.PAYLOAD, payload);
            writer.writeInt32(Fields.TRIES, tries);
            to.headers(Fields.HEADERS, headers);
            String queueField = queue.layout.queueField();
            if (queueField != null) {
                writer.writeString(Fields.QUEUE, queueField);
            }
            if (exactDueMillis != null) {
                writer.writeDateTime(Fields.EXACT_DUE, exactDueMillis);
            }
            to.marks();
            writer.writeEndDocument();
        } catch (BsonSerializationException unholdable) {
            throw refused("push", queue.name, givenId, unholdable.getMessage());
        }
        requireHoldable("push", queue.name, givenId, to.size());
        return to.document();
    }

    /** A larger document the server, or the driver, would refuse with all that travels beside it. */
    static void requireHoldable(String step, String queue, @Nullable String id, int bytes) {
        if (bytes > MAX_DOCUMENT) {
            throw refused(
                    step,
                    queue,
                    id,
                    "its document has " + bytes + " bytes, and the limit is 16 MiB: keep large data elsewhere");
        }
    }

    private InsertResult stored(
            List<RawBsonDocument> documents,
            List<Integer> places,
            List<Item> items,
            long now,
            RepeatableCalls.Way<InsertResult> way) {
        if (documents.isEmpty()) {
            return result(items, now);
        }
        List<Item> outcomes = new ArrayList<>(items);
        return new RepeatableInsert<>(
                        queue.link,
                        queue.documents,
                        queue.name,
                        documents,
                        (error, document) -> {
                            int at = places.get(document);
                            outcomes.set(at, outcome(error, items.get(at), documents.get(document)));
                        },
                        () -> result(outcomes, now),
                        way)
                .run();
    }

    /** A second document of one id is what a message that is there, or a repeated write, comes to. */
    private Item outcome(BulkWriteError error, Item meant, RawBsonDocument document) {
        String id = meant.id();
        if (error.getCode() == MongoErrors.DUPLICATE_KEY && id != null) {
            if (queue.layout.holdsHistory() && queue.afterChange("push", () -> replacesHistory(document))) {
                return meant;
            }
            return queue.afterChange("push", () -> elsewhere(id)) ? Item.failed(inAnotherQueue(id)) : Item.duplicate(id);
        }
        return Item.failed(new StorageException(
                "push on queue '" + queue.name + "' was refused by MongoDB: " + error.getMessage(),
                queue.name,
                null,
                null));
    }

    /** A message that comes back, such as one that is redriven, may be there as what it was before: consumed. */
    private boolean replacesHistory(RawBsonDocument document) {
        BsonValue id = Objects.requireNonNull(document.get(Fields.ID));
        BsonDocument consumed = Fields.doc(Fields.ID, id).append(Fields.PROCESSED, Fields.exists(true));
        return queue.documents.replaceOne(consumed, document).getMatchedCount() == 1;
    }

    /** Where queues share a collection, an id is in one of them. */
    private boolean elsewhere(String id) {
        if (queue.layout.queueField() == null) {
            return false;
        }
        BsonDocument other = queue.live();
        other.put(Fields.QUEUE, new BsonDocument("$ne", other.get(Fields.QUEUE)));
        other.put(Fields.ID, MessageIds.value(id));
        return queue.find(null, other).first() != null;
    }

    private StorageException inAnotherQueue(String id) {
        return new StorageException(
                "push on queue '" + queue.name + "' was refused: message " + id
                        + " is in another queue of the same pipeline; move it",
                queue.name,
                id,
                null);
    }

    private static InsertResult result(List<Item> items, long now) {
        return InsertResult.builder().items(items).storageMillis(now).build();
    }
}
