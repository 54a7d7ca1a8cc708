package dev.jono.backend.mongo;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.mongodb.bulk.BulkWriteError;
import dev.jono.StorageException;
import dev.jono.spi.InsertResult;
import dev.jono.spi.InsertResult.Item;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.RepeatableInsert;
import dev.jono.support.mongo.RepeatedReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** The documents that one insert or restore stores, and the result for each message. Used by one thread at a time. */
final class InsertBatch {
    private final QueueCollection queue;
    private final long nowMillis;
    private final List<Item> items = new ArrayList<>();
    private final List<RawBsonDocument> documents = new ArrayList<>();
    /** For each document, the index of its item. */
    private final List<Integer> itemIndexes = new ArrayList<>();

    InsertBatch(QueueCollection queue, long nowMillis) {
        this.queue = queue;
        this.nowMillis = nowMillis;
    }

    /** Adds the result of a message, as it is unless the server refuses the document. Returns the index of the item. */
    @CanIgnoreReturnValue
    int add(Item item) {
        items.add(item);
        return items.size() - 1;
    }

    /** Adds the document of an item. Documents are stored in the order of these calls. */
    void addDocument(int itemIndex, RawBsonDocument document) {
        itemIndexes.add(itemIndex);
        documents.add(document);
    }

    InsertResult store(RepeatableCalls.Running<InsertResult> running) {
        if (documents.isEmpty()) {
            return result(items);
        }
        List<Item> results = new ArrayList<>(items);
        return new RepeatableInsert<>(
                        queue.link,
                        queue.documents,
                        queue.queueName,
                        documents,
                        (error, index) -> {
                            int item = itemIndexes.get(index);
                            results.set(item, refused(error, items.get(item), documents.get(index)));
                        },
                        () -> result(results),
                        running)
                .run();
    }

    /** Two documents with one id: the message is already there, or the write was repeated. */
    private Item refused(BulkWriteError error, Item expected, RawBsonDocument document) {
        String id = expected.id();
        if (error.getCode() == MongoErrors.DUPLICATE_KEY && id != null) {
            if (queue.layout.holdsHistory() && queue.afterChange("push", () -> replacesHistory(document))) {
                return expected;
            }
            return queue.afterChange("push", () -> isInAnotherQueue(id))
                    ? Item.failed(inAnotherQueue(id))
                    : Item.duplicate(id);
        }
        if (MongoErrors.refusesDocument(error) && queue.keySetting().changedFrom(0, queue, true)) {
            throw new KeySettingChangedException(queue.queueName);
        }
        return Item.failed(new StorageException(
                "push on queue '" + queue.queueName + "' was refused by MongoDB: " + error.getMessage(),
                queue.queueName,
                null,
                null));
    }

    /** A message that comes back, for example by a redrive, replaces the consumed message with its id. */
    private boolean replacesHistory(RawBsonDocument document) {
        BsonValue id = Objects.requireNonNull(document.get(Fields.ID));
        BsonDocument consumed = Fields.doc(Fields.ID, id).append(Fields.PROCESSED, Fields.exists(true));
        return queue.documents.replaceOne(consumed, document).getMatchedCount() == 1;
    }

    /** Queues that share a collection cannot hold the same id twice. */
    private boolean isInAnotherQueue(String id) {
        if (queue.layout.queueField() == null) {
            return false;
        }
        BsonDocument other = queue.live();
        other.put(Fields.QUEUE, new BsonDocument("$ne", other.get(Fields.QUEUE)));
        other.put(Fields.ID, MessageIds.value(id));
        return RepeatedReads.first(queue.find(null, other)) != null;
    }

    private StorageException inAnotherQueue(String id) {
        return new StorageException(
                "push on queue '" + queue.queueName + "' was refused: message " + id
                        + " is in another queue of the same pipeline; move it",
                queue.queueName,
                id,
                null);
    }

    private InsertResult result(List<Item> results) {
        return InsertResult.builder().items(results).storageMillis(nowMillis).build();
    }
}
