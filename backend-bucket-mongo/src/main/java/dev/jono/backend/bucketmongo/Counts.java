package dev.jono.backend.bucketmongo;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadConcern;
import com.mongodb.client.MongoCollection;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsResult;
import dev.jono.support.mongo.MongoErrors;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** Counts: how many messages are ready, scheduled and reserved. Called by {@link BucketQueue} on threads that may block. */
final class Counts {
    private final BucketCollection collection;

    Counts(BucketCollection collection) {
        this.collection = collection;
    }

    CountsResult counts() {
        return collection.call("counts", false, this::counted);
    }

    /** Counts with one command, in a snapshot if the server supports it. */
    private CountsResult counted() {
        if (collection.transactional()) {
            try {
                return counted(collection.documents.withReadConcern(ReadConcern.SNAPSHOT));
            } catch (MongoCommandException refused) {
                if (refused.getErrorCode() != MongoErrors.SNAPSHOT_UNAVAILABLE) {
                    throw refused;
                }
                // The collection was created at this moment.
            }
        }
        return counted(collection.documents);
    }

    private CountsResult counted(MongoCollection<RawBsonDocument> documents) {
        BsonDocument fields = Fields.doc("due", BucketExpressions.due())
                .append("held", BucketExpressions.held())
                .append(Fields.COUNT, BucketExpressions.messages());
        BsonDocument unheld = Fields.op("$subtract", Fields.field(Fields.COUNT), Fields.field("held"));
        BsonDocument due = Fields.op("$lte", Fields.field("due"), Fields.NOW);
        BsonDocument hasUnheld = Fields.op("$gt", Fields.field("unheld"), Fields.ZERO);
        BsonDocument isReady = Fields.op("$and", due, hasUnheld);
        BsonDocument isScheduled = Fields.op("$and", hasUnheld, Fields.op("$not", due));
        BsonDocument group = Fields.doc(Fields.ID, BsonNull.VALUE)
                .append("ready", sum(isReady, Fields.field("unheld")))
                .append("scheduled", sum(isScheduled, Fields.field("unheld")))
                .append("held", Fields.doc("$sum", Fields.field("held")))
                .append("oldest", min(isReady))
                .append("next", min(isScheduled))
                .append(Fields.SERVER_NOW, Fields.doc("$first", Fields.NOW));
        List<BsonDocument> pipeline = List.of(
                Fields.doc("$match", Fields.doc(Fields.MATURE, Fields.isDate())),
                Fields.doc("$project", fields),
                Fields.doc("$set", Fields.doc("unheld", unheld)),
                Fields.doc("$group", group));
        RawBsonDocument found = documents.aggregate(pipeline).first();
        if (found == null) {
            return CountsResult.builder()
                    .nextMillis(ClaimResult.NONE)
                    .storageMillis(collection.nowMillis())
                    .build();
        }
        long now = found.getDateTime(Fields.SERVER_NOW).getValue();
        long readyCount = found.getNumber("ready").longValue();
        long next = found.get("next") != null && found.isDateTime("next")
                ? Math.max(0, found.getDateTime("next").getValue() - now)
                : ClaimResult.NONE;
        CountsResult.Builder result = CountsResult.builder()
                .ready(readyCount)
                .scheduled(found.getNumber("scheduled").longValue())
                .reserved(found.getNumber("held").longValue())
                .nextMillis(readyCount > 0 ? 0 : next)
                .storageMillis(now);
        return (readyCount == 0
                        ? result
                        : result.oldestReadyMillis(found.getDateTime("oldest").getValue()))
                .build();
    }

    private static BsonDocument sum(BsonValue condition, BsonValue number) {
        return Fields.doc("$sum", Fields.op("$cond", condition, number, Fields.ZERO));
    }

    private static BsonDocument min(BsonValue condition) {
        return Fields.doc("$min", Fields.op("$cond", condition, Fields.field("due"), BsonNull.VALUE));
    }
}
