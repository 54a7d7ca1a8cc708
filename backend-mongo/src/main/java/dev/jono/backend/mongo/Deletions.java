package dev.jono.backend.mongo;

import dev.jono.spi.DeleteRequest;
import dev.jono.spi.DeleteResult;
import dev.jono.support.mongo.CollectionDeletion;

/**
 * Deletes a queue: with its collection, and so with its history; where queues share one, there is nothing but their messages.
 */
final class Deletions {
    private final QueueCollection queue;

    Deletions(QueueCollection queue) {
        this.queue = queue;
    }

    DeleteResult delete(DeleteRequest request) {
        return queue.link.call(
                "delete",
                queue.name,
                true,
                () -> queue.backend.layouts().oneCollection() ? fromShared(request) : withCollection(request));
    }

    /** What is inserted meanwhile is not counted, and not deleted unless all is to be. */
    private DeleteResult fromShared(DeleteRequest request) {
        if (request.withMessages()) {
            return DeleteResult.deleted(
                    queue.documents.deleteMany(queue.live()).getDeletedCount());
        }
        long messages = queue.documents.countDocuments(queue.live());
        return messages > 0 ? DeleteResult.refused(messages) : DeleteResult.deleted(0);
    }

    private DeleteResult withCollection(DeleteRequest request) {
        CollectionDeletion deletion = new CollectionDeletion(
                queue.link, queue.documents, where -> where.countDocuments(queue.live()), queue.live());
        try {
            return deletion.delete(request.withMessages());
        } finally {
            queue.backend.indexes().forget(queue.documents);
            queue.scanStart().reset(); // what comes back may be due before what was taken last
        }
    }
}
