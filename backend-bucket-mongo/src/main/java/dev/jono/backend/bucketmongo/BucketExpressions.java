package dev.jono.backend.bucketmongo;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Aggregation expressions over a bucket's document: the server computes what {@link Bucket} computes in this process. */
final class BucketExpressions {
    private BucketExpressions() {}

    private static BsonDocument heldByJono() {
        return Fields.op("$and", Fields.doc("$isArray", Fields.field(Fields.HELD)), Fields.unreadByKeuss());
    }

    /** The due time of the messages; of held ones, the due time before they were claimed. */
    static BsonDocument due() {
        BsonDocument keussReservation = Fields.op(
                "$and", Fields.doc("$not", Fields.list(Fields.unreadByKeuss())), Fields.isPresent(Fields.RESERVED));
        BsonArray before = new BsonArray(
                List.of(Fields.field(Fields.DUE), Fields.field(Fields.FREE), Fields.field(Fields.MATURE)));
        return Fields.op(
                "$cond",
                heldByJono(),
                Fields.ifNull(Fields.DUE, Fields.field(Fields.MATURE)),
                Fields.op("$cond", keussReservation, Fields.doc("$ifNull", before), Fields.field(Fields.MATURE)));
    }

    /** The number of messages; 1 for a document that is no bucket. */
    static BsonDocument messages() {
        BsonDocument number = Fields.doc("$isNumber", Fields.field(Fields.COUNT));
        return Fields.op("$cond", number, Fields.field(Fields.COUNT), Fields.ONE);
    }

    /** The number of held messages. */
    static BsonDocument held() {
        BsonDocument lasts = Fields.op("$gt", new BsonString("$$this.end"), Fields.NOW);
        BsonDocument sum = Fields.doc(
                "$sum",
                Fields.doc(
                        "$map",
                        Fields.doc("input", Fields.field(Fields.HELD))
                                .append("in", Fields.op("$cond", lasts, new BsonString("$$this.n"), Fields.ZERO))));
        BsonDocument byKeuss = Fields.op(
                "$and", Fields.isPresent(Fields.RESERVED), Fields.op("$gt", Fields.field(Fields.MATURE), Fields.NOW));
        return Fields.op("$cond", heldByJono(), sum, Fields.op("$cond", byKeuss, messages(), Fields.ZERO));
    }
}
