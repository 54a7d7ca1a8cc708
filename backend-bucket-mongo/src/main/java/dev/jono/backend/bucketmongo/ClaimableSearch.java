package dev.jono.backend.bucketmongo;

import dev.jono.spi.ClaimResult;
import dev.jono.support.mongo.RepeatedReads;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * Finds buckets with messages that can be claimed, by the server's clock: Jono's buckets with unheld messages, keuss's buckets,
 * and buckets with expired leases. Each search is one command. Called by {@link ClaimAttempts}. Thread-safe.
 */
final class ClaimableSearch {
    /** The most bytes of one read, estimated with the average size of the buckets read last. */
    private static final long MAX_READ_BYTES = 8L << 20;

    private static final int MAX_BUCKETS = 1000;
    /** Reads this multiple of the demand, for the claims that follow. */
    private static final int READ_AHEAD = 3;

    private final BucketCollection collection;
    /** The average size of the buckets read last. */
    private volatile long averageBytes = 128 << 10;

    private volatile int averageMessages = 512;

    ClaimableSearch(BucketCollection collection) {
        this.collection = collection;
    }

    /** How many buckets to read for this many messages. */
    int bucketsFor(int messages) {
        return atMost(1 + (long) READ_AHEAD * messages / averageMessages);
    }

    /** This number of buckets, or the most that one read may return. */
    int atMost(long buckets) {
        return (int) Math.max(1, Math.min(Math.min(MAX_BUCKETS, buckets), MAX_READ_BYTES / averageBytes));
    }

    /** Reads candidates: up to the limit of each kind. */
    BucketCache.Candidates candidates(int limit) {
        Map<BucketId, Bucket> found = new LinkedHashMap<>();
        long now = 0;
        long bytes = 0;
        int documents = 0;
        long messages = 0;
        for (RawBsonDocument document : RepeatedReads.all(
                collection.documents.aggregate(pipeline(limit)).batchSize(3 * limit + 1))) {
            Bucket bucket = BucketReader.read(document);
            bytes += document.getByteBuffer().remaining();
            messages += bucket.live.cardinality();
            documents++;
            now = document.getDateTime(Fields.SERVER_NOW).getValue();
            found.putIfAbsent(bucket.id, bucket);
        }
        if (documents > 0) {
            averageBytes = Math.max(1, bytes / documents);
            averageMessages = (int) Math.max(1, messages / documents);
        }
        List<Bucket> sorted = new ArrayList<>(found.values());
        if (!collection.plain()) {
            sorted.sort(Comparator.<Bucket>comparingLong(bucket -> bucket.dueMillis)
                    .thenComparing(bucket -> bucket.id.toString()));
        }
        return new BucketCache.Candidates(sorted, documents >= limit, now);
    }

    private List<BsonDocument> pipeline(int limit) {
        BsonDocument most = Fields.doc("$limit", new BsonInt32(limit));
        BsonDocument now = Fields.doc("$set", Fields.doc(Fields.SERVER_NOW, Fields.NOW));
        if (collection.plain()) {
            return List.of(Fields.doc("$match", notHeld()), by(Fields.ID), most, now);
        }
        List<BsonDocument> stages = new ArrayList<>(List.of(
                Fields.doc("$match", past(notHeldByKeuss(new BsonDocument()), Fields.FREE)), byFree(), most, now));
        stages.add(union(
                collection.queueName,
                List.of(Fields.doc("$match", past(withoutFree(), Fields.MATURE)), by(Fields.MATURE), most, now)));
        stages.add(union(
                collection.queueName,
                List.of(
                        Fields.doc("$match", past(notHeldByKeuss(new BsonDocument()), Fields.LEASE)),
                        by(Fields.LEASE),
                        most,
                        now)));
        return stages;
    }

    private static BsonDocument byFree() {
        return Fields.doc("$sort", Fields.doc(Fields.FREE, Fields.ONE).append(Fields.MATURE, Fields.ONE));
    }

    private static BsonDocument by(String field) {
        return Fields.doc("$sort", Fields.doc(field, Fields.ONE));
    }

    private static BsonDocument withoutFree() {
        return Fields.doc(Fields.FREE, BsonNull.VALUE);
    }

    /** Adds that the date in this field is past. The type is asked for too, because other types also compare as less. */
    private static BsonDocument past(BsonDocument filter, String field) {
        filter.put(field, Fields.isDate());
        return filter.append("$expr", Fields.isPast(field));
    }

    /** Adds that keuss neither holds the bucket nor has given it back with a delay. */
    private static BsonDocument notHeldByKeuss(BsonDocument filter) {
        return filter.append(
                "$or",
                Fields.list(
                        Fields.doc("$expr", Fields.isPast(Fields.MATURE)),
                        Fields.doc("$expr", Fields.unreadByKeuss())));
    }

    /** A stage that adds the results of another pipeline, on this collection. */
    static BsonDocument union(String collection, List<BsonDocument> stages) {
        return Fields.doc(
                "$unionWith", Fields.doc("coll", new BsonString(collection)).append("pipeline", new BsonArray(stages)));
    }

    /** The time until a message can be claimed, by the server's clock. */
    static long nextMillis(BucketCollection collection) {
        long next = ClaimResult.NONE;
        for (RawBsonDocument found :
                collection.documents.aggregate(nextPipeline(collection.context.profile(), collection.queueName, ""))) {
            next = Math.min(next, delayMillis(found));
        }
        return next;
    }

    /** The time until the moment that a result of {@link #nextPipeline} names. */
    static long delayMillis(BsonDocument document) {
        return Math.max(
                0,
                document.getDateTime("at").getValue()
                        - document.getDateTime(Fields.SERVER_NOW).getValue());
    }

    /** A pipeline on a queue's collection that returns moments; at the earliest one a message can be claimed. */
    static List<BsonDocument> nextPipeline(Profile profile, String queue, String label) {
        BsonDocument one = Fields.doc("$limit", Fields.ONE);
        if (profile == Profile.PLAIN) {
            BsonDocument held = Fields.doc(Fields.RESERVED, Fields.exists(true));
            return List.of(
                    Fields.doc("$match", notHeld()),
                    one,
                    project(Fields.NOW, label),
                    first(queue, held.append(Fields.MATURE, Fields.isDate()), Fields.MATURE, label));
        }
        BsonDocument free = notHeldByKeuss(Fields.doc(Fields.FREE, Fields.isDate()));
        BsonDocument writtenByKeuss = withoutFree().append(Fields.MATURE, Fields.isDate());
        BsonDocument leases = notHeldByKeuss(Fields.doc(Fields.LEASE, Fields.isDate()));
        return List.of(
                Fields.doc("$match", free),
                byFree(),
                one,
                project(Fields.field(Fields.FREE), label),
                first(queue, writtenByKeuss, Fields.MATURE, label),
                first(queue, leases, Fields.LEASE, label));
    }

    private static BsonDocument notHeld() {
        return Fields.doc(
                "$or",
                Fields.list(
                        Fields.doc(Fields.RESERVED, BsonNull.VALUE),
                        Fields.doc("$expr", Fields.isPast(Fields.MATURE))));
    }

    private static BsonDocument first(String queue, BsonDocument filter, String field, String label) {
        return union(
                queue,
                List.of(
                        Fields.doc("$match", filter),
                        by(field),
                        Fields.doc("$limit", Fields.ONE),
                        project(Fields.field(field), label)));
    }

    private static BsonDocument project(BsonValue at, String label) {
        return Fields.doc(
                "$project",
                Fields.doc("at", at)
                        .append(Fields.SERVER_NOW, Fields.NOW)
                        .append("queue", Fields.doc("$literal", new BsonString(label))));
    }
}
