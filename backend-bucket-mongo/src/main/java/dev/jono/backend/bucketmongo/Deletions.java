package dev.jono.backend.bucketmongo;

import com.mongodb.client.MongoCollection;
import dev.jono.spi.DeleteRequest;
import dev.jono.spi.DeleteResult;
import dev.jono.support.mongo.CollectionDeletion;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.RawBsonDocument;

/** Deletions: drops the collection of a queue. Called by {@link BucketQueue} on threads that may block. */
final class Deletions {
    private final BucketCollection collection;

    Deletions(BucketCollection collection) {
        this.collection = collection;
    }

    DeleteResult delete(DeleteRequest request) {
        CollectionDeletion deletion =
                new CollectionDeletion(collection.link, collection.documents, Deletions::messages, new BsonDocument());
        try {
            return collection.link.call(
                    "delete", collection.queueName, true, () -> deletion.delete(request.withMessages()));
        } finally {
            collection.forgetIndexes();
            collection.memory().buckets.clear();
        }
    }

    private static long messages(MongoCollection<RawBsonDocument> buckets) {
        BsonDocument sum =
                Fields.doc(Fields.ID, BsonNull.VALUE).append("sum", Fields.doc("$sum", BucketExpressions.messages()));
        RawBsonDocument found =
                buckets.aggregate(List.of(Fields.doc("$group", sum))).first();
        return found == null ? 0 : found.getNumber("sum").longValue();
    }
}
