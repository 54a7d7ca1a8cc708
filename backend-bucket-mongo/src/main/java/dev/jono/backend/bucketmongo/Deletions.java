package dev.jono.backend.bucketmongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.WriteModel;
import dev.jono.spi.DeleteRequest;
import dev.jono.spi.DeleteResult;
import dev.jono.support.mongo.CollectionDeletion;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonBoolean;
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
        CollectionDeletion deletion = new CollectionDeletion(
                collection.link, collection.documents, Deletions::messages, this::undoTakes, new BsonDocument());
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

    /** Ends the marks of takes. They have no receipts, so nobody holds these messages. */
    private void undoTakes(MongoCollection<RawBsonDocument> renamed) {
        BsonDocument marked = Fields.doc(Fields.HELD + '.' + LeaseGroup.TAKEN, BsonBoolean.TRUE);
        List<WriteModel<RawBsonDocument>> writes = new ArrayList<>();
        for (RawBsonDocument document : renamed.find(marked).projection(BucketReader.withoutMessages())) {
            Bucket bucket = BucketReader.read(document);
            BucketChange change = collection.change(bucket);
            bucket.groups.stream().filter(LeaseGroup::taken).forEach(group -> change.endLeases(group.slots()));
            writes.add(change.model());
        }
        if (!writes.isEmpty()) {
            renamed.bulkWrite(writes);
        }
    }
}
