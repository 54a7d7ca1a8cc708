package dev.jono.backend.mongo;

import dev.jono.spi.DeleteRequest;
import dev.jono.spi.DeleteResult;
import dev.jono.support.mongo.CollectionDeletion;

/**
 * Deletes a queue: with its collection, and so with its history; where queues share one, there is nothing but their messages.
 */
final class Deleting {
    private final Place place;

    Deleting(Place place) {
        this.place = place;
    }

    DeleteResult delete(DeleteRequest request) {
        return place.link.call(
                "delete",
                place.queue,
                true,
                () -> place.backend.layouts().oneCollection() ? fromShared(request) : withCollection(request));
    }

    /** What is inserted meanwhile is not counted, and not deleted unless all is to be. */
    private DeleteResult fromShared(DeleteRequest request) {
        if (request.withMessages()) {
            return DeleteResult.deleted(
                    place.collection.deleteMany(place.live()).getDeletedCount());
        }
        long messages = place.collection.countDocuments(place.live());
        return messages > 0 ? DeleteResult.refused(messages) : DeleteResult.deleted(0);
    }

    private DeleteResult withCollection(DeleteRequest request) {
        CollectionDeletion deletion = new CollectionDeletion(
                place.link, place.collection, where -> where.countDocuments(place.live()), place.live());
        try {
            return deletion.delete(request.withMessages());
        } finally {
            place.backend.indexes().forget(place.collection);
            place.start().reset(); // what comes back may be due before what was taken last
        }
    }
}
