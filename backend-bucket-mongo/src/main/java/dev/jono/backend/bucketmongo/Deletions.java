package dev.jono.backend.bucketmongo;

import com.mongodb.client.MongoCollection;
import dev.jono.spi.DeleteRequest;
import dev.jono.spi.DeleteResult;
import dev.jono.support.mongo.CollectionDeletion;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.RawBsonDocument;

/** Deletes a queue, with its collection of buckets. */
final class Deletions {
    private final BucketCollection place;

    Deletions(BucketCollection place) {
        this.place = place;
    }

    DeleteResult delete(DeleteRequest request) {
        CollectionDeletion deletion =
                new CollectionDeletion(place.link, place.documents, Deletions::messages, new BsonDocument());
        try {
            return place.link.call("delete", place.queue, true, () -> deletion.delete(request.withMessages()));
        } finally {
            place.backend.indexes().forget(place.documents);
            place.memory().buckets.clear();
        }
    }

    private static long messages(MongoCollection<RawBsonDocument> buckets) {
        BsonDocument sum =
                Fields.doc(Fields.ID, BsonNull.VALUE).append("sum", Fields.doc("$sum", Counts.BucketExpressions.messages()));
        RawBsonDocument found =
                buckets.aggregate(List.of(Fields.doc("$group", sum))).first();
        return found == null ? 0 : found.getNumber("sum").longValue();
    }
}
