package dev.jono.backend.mongo;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadConcern;
import com.mongodb.client.MongoCollection;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsResult;
import dev.jono.support.mongo.MongoErrors;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Counts the messages of a queue with one command: due messages, other messages and, if requested, history. The command
 * reads a snapshot if the server has them. Otherwise a message that is given back between the parts of the command may
 * be counted twice or not at all; but the result is empty only if the queue was empty, because callers stop at an empty
 * queue. Blocks the calling thread; thread-safe.
 */
final class Counts {
    /** The names of the parts of the command. */
    private static final String READY = "ready";

    private static final String LATER = "later";
    private static final String BLOCKED = "blocked";
    private static final String HISTORY = "history";
    private static final String ANY = "any";

    private static final BsonInt32 ZERO = new BsonInt32(0);

    private final QueueCollection queue;

    Counts(QueueCollection queue) {
        this.queue = queue;
    }

    CountsResult counts(boolean history) {
        return queue.call("counts", false, () -> counted(history));
    }

    private CountsResult counted(boolean history) {
        if (queue.transactional()) {
            try {
                return count(history, true).result();
            } catch (MongoCommandException refused) {
                if (refused.getErrorCode() != MongoErrors.SNAPSHOT_UNAVAILABLE) {
                    throw refused;
                }
                // The collection is being created: count without a snapshot.
            }
        }
        Tally tally;
        do {
            tally = count(history, false);
        } while (tally.missedAll());
        return tally.result();
    }

    private Tally count(boolean history, boolean snapshot) {
        MongoCollection<RawBsonDocument> collection =
                snapshot ? queue.documents.withReadConcern(ReadConcern.SNAPSHOT) : queue.documents;
        Tally tally = new Tally(queue.link.time().nowMillis());
        collection.aggregate(pipeline(history, !snapshot)).forEach(tally::add);
        return tally;
    }

    /** @param any whether to look for any message after the other parts */
    private List<BsonDocument> pipeline(boolean history, boolean any) {
        List<BsonDocument> pipeline = new ArrayList<>(List.of(
                Fields.doc("$match", queue.due(queue.live())),
                group(READY, "oldest", Fields.doc("$min", matureDate())),
                union(List.of(Fields.doc("$match", later()), laterGroup()))));
        if (queue.layout.maxPerKey() > 0) {
            pipeline.add(union(List.of(Fields.doc("$match", blocked()), group(BLOCKED))));
        }
        if (history) {
            pipeline.add(union(List.of(Fields.doc("$match", History.visible(queue.layout)), group(HISTORY))));
        }
        if (any) {
            pipeline.add(union(List.of(Fields.doc("$match", counted()), Fields.doc("$limit", Fields.ONE), group(ANY))));
        }
        return pipeline;
    }

    /** Messages that are not due and not about to be deleted by a take. */
    private BsonDocument later() {
        BsonDocument filter = queue.liveWithDueTime();
        filter.put(Fields.TAKEN, Fields.exists(false));
        filter.put("$expr", Fields.op("$gt", Fields.field(queue.dueField), Fields.NOW));
        return filter;
    }

    /** Messages that wait for an earlier one of their key. */
    private BsonDocument blocked() {
        BsonDocument filter = queue.live();
        filter.put(Fields.BLOCKED, Fields.doc("$type", new BsonString("date")));
        return filter;
    }

    private BsonDocument laterGroup() {
        BsonDocument reserved = Fields.isReserved();
        BsonDocument next = Fields.op("$cond", reserved, BsonNull.VALUE, Fields.field(queue.dueField));
        BsonDocument group = group(LATER, "held", Fields.doc("$sum", Fields.op("$cond", reserved, Fields.ONE, ZERO)));
        group.getDocument("$group").append("next", Fields.doc("$min", next));
        return group;
    }

    /** All messages that are part of a count: due messages, and others that are not about to be deleted by a take. */
    private BsonDocument counted() {
        BsonDocument filter = queue.liveWithDueTime();
        BsonDocument notTaken = Fields.doc(Fields.TAKEN, Fields.exists(false));
        filter.put("$or", new BsonArray(List.of(notTaken, Fields.doc("$expr", Fields.isDue(queue.dueField)))));
        return filter;
    }

    /** The due time, or null if it is an array: it is undefined at which of its dates the message is due. */
    private BsonDocument matureDate() {
        BsonDocument single =
                Fields.op("$eq", Fields.doc("$type", Fields.field(queue.dueField)), new BsonString("date"));
        return Fields.op("$cond", single, Fields.field(queue.dueField), BsonNull.VALUE);
    }

    private static BsonDocument group(String part) {
        return Fields.doc(
                "$group",
                Fields.doc(Fields.ID, new BsonString(part))
                        .append("n", Fields.doc("$sum", Fields.ONE))
                        .append(StoredDocument.NOW, Fields.doc("$first", Fields.NOW)));
    }

    private static BsonDocument group(String part, String field, BsonValue value) {
        BsonDocument group = group(part);
        group.getDocument("$group").append(field, value);
        return group;
    }

    private BsonDocument union(List<BsonDocument> pipeline) {
        return Fields.doc(
                "$unionWith",
                Fields.doc("coll", new BsonString(queue.layout.collection()))
                        .append("pipeline", new BsonArray(pipeline)));
    }

    /** Adds up the parts of the answer. */
    private static final class Tally {
        private boolean any;
        private long ready;
        private @Nullable Long oldestMillis;
        private long scheduled;
        private long reserved;
        private long blocked;
        private long history;
        private long nextMillis = ClaimResult.NONE;
        private long nowMillis;

        Tally(long nowMillis) {
            this.nowMillis = nowMillis;
        }

        void add(RawBsonDocument part) {
            long count = part.getNumber("n").longValue();
            switch (part.getString(Fields.ID).getValue()) {
                case READY -> {
                    ready = count;
                    oldestMillis = part.isDateTime("oldest")
                            ? (Long) part.getDateTime("oldest").getValue()
                            : null;
                    nowMillis = part.getDateTime(StoredDocument.NOW).getValue();
                }
                case LATER -> {
                    reserved = part.getNumber("held").longValue();
                    scheduled = count - reserved;
                    nowMillis = part.getDateTime(StoredDocument.NOW).getValue();
                    if (part.isDateTime("next")) {
                        nextMillis = Math.max(0, part.getDateTime("next").getValue() - nowMillis);
                    }
                }
                case BLOCKED -> blocked = count;
                case ANY -> any = true;
                default -> history = count;
            }
        }

        /** Whether there was a message that moved between the parts while they were counted. */
        boolean missedAll() {
            return any && ready + scheduled + reserved + blocked == 0;
        }

        CountsResult result() {
            CountsResult.Builder result = CountsResult.builder()
                    .ready(ready)
                    .scheduled(scheduled)
                    .reserved(reserved)
                    .blocked(blocked)
                    .history(history)
                    .nextMillis(ready > 0 ? 0 : nextMillis)
                    .storageMillis(nowMillis);
            return (oldestMillis == null ? result : result.oldestReadyMillis(oldestMillis)).build();
        }
    }
}
