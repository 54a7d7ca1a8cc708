package dev.jono.backend.mongo;

import dev.jono.spi.DeleteRequest;
import dev.jono.spi.DeleteResult;
import dev.jono.support.mongo.CollectionDeletion;

/**
 * Deletes a queue: drops its collection, with its history. If queues share the collection, it deletes only the messages
 * of this queue. Blocks the calling thread; thread-safe.
 */
final class Deletions {
    private final QueueCollection queue;
    private final boolean sharedCollection;

    Deletions(QueueCollection queue, boolean sharedCollection) {
        this.queue = queue;
        this.sharedCollection = sharedCollection;
    }

    DeleteResult delete(DeleteRequest request) {
        return queue.link.call(
                "delete",
                queue.queueName,
                true,
                () -> sharedCollection ? deleteMessages(request) : deleteCollection(request));
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
                queue.link, queue.documents, collection -> collection.countDocuments(queue.live()), queue.live());
        try {
            return deletion.delete(request.withMessages());
        } finally {
            queue.forgetIndexes();
            queue.scanStart().reset(); // messages that come back may be due before the start of the next search
        }
    }
}
