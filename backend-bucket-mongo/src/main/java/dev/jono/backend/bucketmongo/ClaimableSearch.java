package dev.jono.backend.bucketmongo;

import dev.jono.spi.ClaimResult;
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
import org.bson.RawBsonDocument;

/**
 * Finds buckets that something can be claimed of, by the server's clock: those of Jono's with messages that nobody holds,
 * those of keuss's, and those with leases of Jono's that have ended. All in one command.
 */
final class ClaimableSearch {
    /** So many bytes are read at once, as far as the sizes of the last buckets tell. */
    private static final long MAX_READ_BYTES = 8L << 20;

    private static final int MOST_BUCKETS = 1000;
    /** How many times the demand is read, for the claims to come. */
    private static final int AHEAD = 3;

    private final BucketCollection collection;
    /** Of a bucket, as the last ones were. */
    private volatile long usualBytes = 128 << 10;

    private volatile int usualMessages = 512;

    ClaimableSearch(BucketCollection collection) {
        this.collection = collection;
    }

    /** How many buckets to read for so many messages, as the last ones were. */
    int bucketsFor(int messages) {
        return atMost(1 + (long) AHEAD * messages / usualMessages);
    }

    /** So many, or as many as may be read at once. */
    int atMost(long buckets) {
        return (int) Math.max(1, Math.min(Math.min(MOST_BUCKETS, buckets), MAX_READ_BYTES / usualBytes));
    }

    /** Reads so many of each kind. */
    BucketCache.Candidates candidates(int limit) {
        Map<BucketId, Bucket> found = new LinkedHashMap<>();
        long now = 0;
        long bytes = 0;
        int documents = 0;
        long messages = 0;
        for (RawBsonDocument document :
                collection.documents.aggregate(pipeline(limit)).batchSize(3 * limit + 1)) {
            Bucket bucket = BucketReader.read(document);
            bytes += document.getByteBuffer().remaining();
            messages += bucket.live.cardinality();
            documents++;
            now = document.getDateTime(Fields.SERVER_NOW).getValue();
            found.putIfAbsent(bucket.id, bucket);
        }
        if (documents > 0) {
            usualBytes = Math.max(1, bytes / documents);
            usualMessages = (int) Math.max(1, messages / documents);
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
                collection,
                List.of(Fields.doc("$match", past(withoutFree(), Fields.MATURE)), by(Fields.MATURE), most, now)));
        stages.add(union(
                collection,
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

    /** The type is asked too, as the comparison holds for what is no date. */
    private static BsonDocument past(BsonDocument filter, String field) {
        filter.put(field, Fields.isDate());
        return filter.append("$expr", Fields.isPast(field));
    }

    /** Not those that keuss holds, or has given back with a delay. */
    private static BsonDocument notHeldByKeuss(BsonDocument filter) {
        return filter.append(
                "$or",
                Fields.list(
                        Fields.doc("$expr", Fields.isPast(Fields.MATURE)),
                        Fields.doc("$expr", Fields.unreadByKeuss())));
    }

    private static BsonDocument union(BucketCollection collection, List<BsonDocument> stages) {
        return union(collection.queue, stages);
    }

    static BsonDocument union(String collection, List<BsonDocument> stages) {
        return Fields.doc(
                "$unionWith", Fields.doc("coll", new BsonString(collection)).append("pipeline", new BsonArray(stages)));
    }

    /** How long until something can be claimed, by the server's clock. */
    static long nextMillis(BucketCollection collection) {
        long next = ClaimResult.NONE;
        for (RawBsonDocument found : collection.documents.aggregate(nextPipeline(collection.context.profile(), collection.queue, ""))) {
            next = Math.min(next, delayMillis(found));
        }
        return next;
    }

    static long delayMillis(BsonDocument document) {
        return Math.max(
                0,
                document.getDateTime("at").getValue()
                        - document.getDateTime(Fields.SERVER_NOW).getValue());
    }

    /** A command on a queue's collection that tells some times; the earliest is when something can be claimed. */
    static List<BsonDocument> nextPipeline(Profile profile, String queue, String shownAs) {
        BsonDocument one = Fields.doc("$limit", Fields.ONE);
        if (profile == Profile.PLAIN) {
            BsonDocument held = Fields.doc(Fields.RESERVED, Fields.exists(true));
            return List.of(
                    Fields.doc("$match", notHeld()),
                    one,
                    project(Fields.NOW, shownAs),
                    first(queue, held.append(Fields.MATURE, Fields.isDate()), Fields.MATURE, shownAs));
        }
        BsonDocument free = notHeldByKeuss(Fields.doc(Fields.FREE, Fields.isDate()));
        BsonDocument others = withoutFree().append(Fields.MATURE, Fields.isDate());
        BsonDocument leases = notHeldByKeuss(Fields.doc(Fields.LEASE, Fields.isDate()));
        return List.of(
                Fields.doc("$match", free),
                byFree(),
                one,
                project(Fields.field(Fields.FREE), shownAs),
                first(queue, others, Fields.MATURE, shownAs),
                first(queue, leases, Fields.LEASE, shownAs));
    }

    private static BsonDocument notHeld() {
        return Fields.doc(
                "$or",
                Fields.list(
                        Fields.doc(Fields.RESERVED, BsonNull.VALUE),
                        Fields.doc("$expr", Fields.isPast(Fields.MATURE))));
    }

    private static BsonDocument first(String queue, BsonDocument filter, String field, String shownAs) {
        return union(
                queue,
                List.of(
                        Fields.doc("$match", filter),
                        by(field),
                        Fields.doc("$limit", Fields.ONE),
                        project(Fields.field(field), shownAs)));
    }

    private static BsonDocument project(org.bson.BsonValue at, String shownAs) {
        return Fields.doc(
                "$project",
                Fields.doc("at", at)
                        .append(Fields.SERVER_NOW, Fields.NOW)
                        .append("queue", Fields.doc("$literal", new BsonString(shownAs))));
    }
}
