package dev.jono.backend.mongo;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadConcern;
import com.mongodb.client.MongoCollection;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseResult;
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

/** Looks into a queue, and counts. */
final class Counts {
    private final QueueCollection queue;
    private final Browses browses;

    Counts(QueueCollection queue) {
        this.queue = queue;
        this.browses = new Browses(queue);
    }

    /** How long until the next message can be claimed, by the server's clock. */
    static long nextMillis(QueueCollection queue) {
        BsonDocument fields = Fields.doc(Fields.MATURE, Fields.ONE).append(StoredDocument.NOW, Fields.NOW);
        RawBsonDocument first = queue.documents
                .find(queue.liveWithDueTime())
                .sort(Fields.doc(Fields.MATURE, Fields.ONE))
                .projection(fields)
                .first();
        return first == null ? ClaimResult.NONE : millisUntilDue(first);
    }

    static long millisUntilDue(BsonDocument document) {
        return Math.max(0, Fields.millis(document, Fields.MATURE) - Fields.millis(document, StoredDocument.NOW));
    }

    BrowseResult browse(BrowseRequest request) {
        return queue.call("browse", false, () -> browses.browse(request));
    }

    CountsResult counts(boolean history) {
        return queue.call("counts", false, () -> counted(history));
    }

    /**
     * One command: what is due, what is not, and the history if it is asked for. Of one moment, where the server can do
     * that; else a message that is given back between its parts may be in both or in neither. Empty is only what has nothing
     * behind these parts either: callers take it for the end.
     */
    private CountsResult counted(boolean history) {
        if (queue.transactional()) {
            try {
                return counted(history, true).result();
            } catch (MongoCommandException refused) {
                if (refused.getErrorCode() != MongoErrors.SNAPSHOT_UNAVAILABLE) {
                    throw refused;
                }
                // The collection is being made this moment.
            }
        }
        Counted counted;
        do {
            counted = counted(history, false);
        } while (counted.missed());
        return counted.result();
    }

    /** @param some whether a message was there behind the other parts */
    private record Counted(CountsResult result, boolean some) {
        boolean missed() {
            return some && result.ready() + result.scheduled() + result.reserved() == 0;
        }
    }

    private Counted counted(boolean history, boolean ofOneMoment) {
        BsonDocument later = queue.liveWithDueTime();
        later.put(Fields.TAKEN, Fields.exists(false));
        later.put("$expr", Fields.op("$gt", Fields.field(Fields.MATURE), Fields.NOW));
        BsonDocument held = Fields.isReserved();
        List<BsonDocument> pipeline = new ArrayList<>(List.of(
                Fields.doc("$match", Fields.due(queue.live())),
                group("ready")
                        .append("oldest", Fields.doc("$min", matureDate()))
                        .toGroup(),
                union(List.of(
                        Fields.doc("$match", later),
                        group("later")
                                .append("held", Fields.doc("$sum", Fields.op("$cond", held, Fields.ONE, zero())))
                                .append(
                                        "next",
                                        Fields.doc(
                                                "$min",
                                                Fields.op("$cond", held, BsonNull.VALUE, Fields.field(Fields.MATURE))))
                                .toGroup()))));
        if (history) {
            pipeline.add(union(List.of(
                    Fields.doc("$match", Browses.visibleHistory(queue)), group("history").toGroup())));
        }
        if (!ofOneMoment) {
            pipeline.add(union(List.of(
                    Fields.doc("$match", counting()),
                    Fields.doc("$limit", Fields.ONE),
                    group("some").toGroup())));
        }
        MongoCollection<RawBsonDocument> collection =
                ofOneMoment ? queue.documents.withReadConcern(ReadConcern.SNAPSHOT) : queue.documents;
        boolean some = false;
        long ready = 0;
        Long oldest = null;
        long scheduled = 0;
        long reserved = 0;
        long kept = 0;
        long next = ClaimResult.NONE;
        long now = queue.link.time().nowMillis();
        for (RawBsonDocument part : collection.aggregate(pipeline)) {
            long count = part.getNumber("n").longValue();
            switch (part.getString(Fields.ID).getValue()) {
                case "ready" -> {
                    ready = count;
                    oldest = part.isDateTime("oldest")
                            ? (Long) part.getDateTime("oldest").getValue()
                            : null;
                    now = part.getDateTime(StoredDocument.NOW).getValue();
                }
                case "later" -> {
                    reserved = part.getNumber("held").longValue();
                    scheduled = count - reserved;
                    now = part.getDateTime(StoredDocument.NOW).getValue();
                    if (part.isDateTime("next")) {
                        next = Math.max(0, part.getDateTime("next").getValue() - now);
                    }
                }
                case "some" -> some = true;
                default -> kept = count;
            }
        }
        CountsResult.Builder result = CountsResult.builder()
                .ready(ready)
                .scheduled(scheduled)
                .reserved(reserved)
                .history(kept)
                .nextMillis(ready > 0 ? 0 : next)
                .storageMillis(now);
        return new Counted((oldest == null ? result : result.oldestReadyMillis(oldest)).build(), some);
    }

    /** What is part of a count: what is due, and what is not and was not taken. */
    private BsonDocument counting() {
        BsonDocument filter = queue.liveWithDueTime();
        BsonDocument notTaken = Fields.doc(Fields.TAKEN, Fields.exists(false));
        filter.put("$or", new BsonArray(List.of(notTaken, Fields.doc("$expr", Fields.isDue()))));
        return filter;
    }

    /** Of an array nobody knows which of its dates it is due at. */
    private static BsonDocument matureDate() {
        BsonDocument single =
                Fields.op("$eq", Fields.doc("$type", Fields.field(Fields.MATURE)), new BsonString("date"));
        return Fields.op("$cond", single, Fields.field(Fields.MATURE), BsonNull.VALUE);
    }

    private static BsonInt32 zero() {
        return new BsonInt32(0);
    }

    private static Group group(String name) {
        return new Group(name);
    }

    /** A {@code $group} that counts. */
    private static final class Group {
        private final BsonDocument fields;

        Group(String name) {
            fields = Fields.doc(Fields.ID, new BsonString(name))
                    .append("n", Fields.doc("$sum", Fields.ONE))
                    .append(StoredDocument.NOW, Fields.doc("$first", Fields.NOW));
        }

        Group append(String name, BsonValue value) {
            fields.append(name, value);
            return this;
        }

        BsonDocument toGroup() {
            return Fields.doc("$group", fields);
        }
    }

    private BsonDocument union(List<BsonDocument> pipeline) {
        return Fields.doc(
                "$unionWith",
                Fields.doc("coll", new BsonString(queue.layout.collection()))
                        .append("pipeline", new BsonArray(pipeline)));
    }
}
