package dev.jono.backend.mongo;

import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import dev.jono.spi.InsertResult;
import dev.jono.spi.InsertResult.Item;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.RepeatableWrite;
import dev.jono.support.mongo.Transactions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * Restores: puts taken messages back that were not handed out. Where the queue keeps history, a taken message is still
 * there as history and is turned into a message again; the others are inserted. Blocks the calling thread; thread-safe.
 */
final class Restores {
    private final QueueCollection queue;

    Restores(QueueCollection queue) {
        this.queue = queue;
    }

    InsertResult restore(RestoreRequest request) {
        if (request.messages().isEmpty()) {
            return InsertResult.builder().build();
        }
        RepeatableCalls<InsertResult> calls = queue.memory().inserts;
        InsertResult result =
                calls.run(request.token(), running -> queue.storing("restore", () -> restored(request, running)));
        queue.scanStart().reset();
        return result;
    }

    private InsertResult restored(RestoreRequest request, RepeatableCalls.Running<InsertResult> running) {
        long now = queue.link.time().nowMillis();
        if (queue.layout.maxPerKey() > 0) {
            return putBack(request, now, running);
        }
        if (!queue.layout.holdsHistory()) {
            return insertMissing(request, Set.of(), now, running);
        }
        List<WriteModel<RawBsonDocument>> models = revivals(request.messages());
        new RepeatableWrite<>(queue.link, "restore", queue.queueName, session -> queue.write(session, models))
                .send(again -> {
                    if (queue.transactional()) {
                        running.onRepeat(() -> {
                            // Without a write number, a repetition would revive messages that others consumed since.
                            if (again.get().isEmpty()) {
                                throw MongoErrors.outcomeUnknown("restore", queue.queueName);
                            }
                            return Optional.of(afterRevival(request, now, running));
                        });
                    }
                });
        return afterRevival(request, now, running);
    }

    /** Messages of a keyed queue go before the others of their keys. */
    private InsertResult putBack(RestoreRequest request, long now, RepeatableCalls.Running<InsertResult> running) {
        List<IncomingMessage> incoming = request.messages().stream()
                .sorted(Comparator.comparingLong(StoredMessage::dueMillis).thenComparing(StoredMessage::id))
                .map(message -> new IncomingMessage(
                        MessageIds.value(message.id()),
                        document(message, now),
                        message.key(),
                        placedMillis(message, now),
                        false))
                .toList();
        List<Item> items = request.messages().stream()
                .map(message -> Item.stored(message.id()))
                .toList();
        InsertResult result =
                InsertResult.builder().items(items).storageMillis(now).build();
        return new Transactions(queue.link)
                .run(
                        "restore",
                        queue.queueName,
                        session -> {
                            new TransactionalStore(queue, session).putBack(incoming);
                            return result;
                        },
                        running);
    }

    /** A repetition of the call starts here: it must not revive messages that others consumed since. */
    private InsertResult afterRevival(RestoreRequest request, long now, RepeatableCalls.Running<InsertResult> running) {
        running.onRepeat(() -> Optional.of(afterRevival(request, now, running)));
        return queue.store(
                "restore",
                () -> queue.afterChange("restore", () -> {
                    List<BsonValue> ids = request.messages().stream()
                            .map(message -> MessageIds.value(message.id()))
                            .toList();
                    Set<BsonValue> present =
                            new HashSet<>(QueueCollection.ids(queue.find(null, Fields.doc(Fields.ID, Fields.in(ids)))));
                    return insertMissing(request, present, now, running);
                }));
    }

    private InsertResult insertMissing(
            RestoreRequest request, Set<BsonValue> present, long now, RepeatableCalls.Running<InsertResult> running) {
        List<StoredMessage> messages = request.messages();
        InsertBatch batch = new InsertBatch(queue, now);
        List<Integer> missing = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            batch.add(Item.stored(messages.get(i).id()));
            if (!present.contains(MessageIds.value(messages.get(i).id()))) {
                missing.add(i);
            }
        }
        // They are stored in the order in which they were taken.
        missing.sort(Comparator.<Integer>comparingLong(i -> messages.get(i).dueMillis())
                .thenComparing(i -> messages.get(i).id()));
        missing.forEach(i -> batch.addDocument(i, document(messages.get(i), now)));
        return batch.store(running);
    }

    /**
     * A message that was due gets a time one millisecond earlier, so that it comes before messages with the same due
     * time: those before it were taken too. A message that is not due yet keeps its time.
     */
    private RawBsonDocument document(StoredMessage message, long now) {
        boolean due = message.dueMillis() <= now;
        return new NewDocument(
                        MessageIds.value(message.id()),
                        placedMillis(message, now),
                        due ? (Long) message.dueMillis() : null,
                        message.payload(),
                        message.headers(),
                        message.tries(),
                        false)
                .write(queue, message.id());
    }

    private static long placedMillis(StoredMessage message, long now) {
        return message.dueMillis() <= now ? message.dueMillis() - 1 : message.dueMillis();
    }

    /** Turns history into messages, all in one command, so that it can be sent again. */
    private static List<WriteModel<RawBsonDocument>> revivals(List<StoredMessage> messages) {
        List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
        for (StoredMessage message : messages) {
            BsonDocument set = Fields.doc(Fields.MATURE, Fields.date(message.dueMillis()))
                    .append(Fields.TRIES, new BsonInt32(message.tries()))
                    .append(Fields.RELEASED_BY, Fields.NO_CALL);
            BsonDocument unset = Fields.doc(Fields.PROCESSED, BsonBoolean.TRUE)
                    .append(Fields.REMOVED, BsonBoolean.TRUE)
                    .append(Fields.EXACT_DUE, BsonBoolean.TRUE);
            models.add(new UpdateOneModel<>(
                    Fields.doc(Fields.ID, MessageIds.value(message.id())).append(Fields.PROCESSED, Fields.exists(true)),
                    Fields.doc("$set", set).append("$unset", unset)));
        }
        return models;
    }
}
