package dev.jono.backend.mongo;

import com.mongodb.client.MongoCollection;
import dev.jono.spi.DeleteRequest;
import dev.jono.spi.DeleteResult;
import dev.jono.support.mongo.CollectionDeletion;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Deletes a queue: drops its collection, with its history, and forgets its unique keys. If queues share the collection,
 * it deletes only the messages of this queue. Blocks the calling thread; thread-safe.
 */
final class Deletions {
    private final QueueCollection queue;
    private final boolean sharedCollection;

    Deletions(QueueCollection queue, boolean sharedCollection) {
        this.queue = queue;
        this.sharedCollection = sharedCollection;
    }

    /** @param uniqueKeys the unique keys of the queue; null if the backend has none */
    DeleteResult delete(DeleteRequest request, @Nullable UniqueKeys uniqueKeys) {
        return queue.link.call("delete", queue.queueName, true, () -> {
            DeleteResult result = sharedCollection ? deleteMessages(request) : deleteCollection(request);
            if (result.deleted() && uniqueKeys != null) {
                uniqueKeys.removeAll();
            }
            return result;
        });
    }

    /** A message that is inserted after the count stays, unless the request deletes messages too. */
    private DeleteResult deleteMessages(DeleteRequest request) {
        if (request.withMessages()) {
            return DeleteResult.deleted(queue.documents.deleteMany(queue.live()).getDeletedCount());
        }
        long messages = queue.documents.countDocuments(queue.live());
        return messages > 0 ? DeleteResult.refused(messages) : DeleteResult.deleted(0);
    }

    private DeleteResult deleteCollection(DeleteRequest request) {
        CollectionDeletion deletion = new CollectionDeletion(
                queue.link,
                queue.documents,
                collection -> collection.countDocuments(queue.live()),
                this::undoTakes,
                queue.live());
        try {
            return deletion.delete(request.withMessages());
        } finally {
            queue.forgetIndexes();
            queue.scanStart().reset(); // messages that come back may be due before the start of the next search
        }
    }

    /**
     * Makes messages due again that a take has marked. A take does not keep the due times, so they get the time of the
     * mark. Without its token, the take finds that it has not got them.
     */
    private void undoTakes(MongoCollection<RawBsonDocument> renamed) {
        BsonDocument marked = queue.live();
        marked.put(Fields.TAKEN, Fields.exists(true));
        BsonDocument due = Fields.op("$ifNull", Fields.field(Fields.RESERVED), Fields.field(queue.dueField));
        List<String> marks =
                List.of(Fields.TAKEN, Fields.RESERVED, Fields.PREVIOUS_RESERVED, queue.layout.tokenField());
        renamed.updateMany(marked, List.of(Fields.doc("$set", Fields.doc(queue.dueField, due)), History.unset(marks)));
    }
}
