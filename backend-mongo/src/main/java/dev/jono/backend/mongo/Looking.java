package dev.jono.backend.mongo;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadConcern;
import com.mongodb.client.MongoCollection;
import dev.jono.RemoveOutcome;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseResult;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsResult;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.MongoErrors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** Looks into a queue, counts, and removes by hand. */
final class Looking {
    private static final int PURGED_AT_ONCE = 1000;

    private final Place place;
    private final Browsing browsing;

    Looking(Place place) {
        this.place = place;
        this.browsing = new Browsing(place);
    }

    /** How long until the next message can be claimed, by the server's clock. */
    static long nextMillis(Place place) {
        BsonDocument filter = place.live();
        filter.put(Fields.MATURE, Fields.doc("$type", new BsonString("date")));
        BsonDocument fields = Fields.doc(Fields.MATURE, Fields.ONE).append(Found.NOW, Fields.NOW);
        RawBsonDocument first = place.collection
                .find(filter)
                .sort(Fields.doc(Fields.MATURE, Fields.ONE))
                .projection(fields)
                .first();
        return first == null ? ClaimResult.NONE : waiting(first);
    }

    static long waiting(BsonDocument document) {
        return Math.max(0, Fields.millis(document, Fields.MATURE) - Fields.millis(document, Found.NOW));
    }

    BrowseResult browse(BrowseRequest request) {
        return place.call("browse", false, () -> browsing.browse(request));
    }

    /** Those that nobody holds. */
    private static BsonDocument free(BsonDocument live) {
        BsonDocument filter = live.clone();
        BsonDocument ended = Fields.doc("$expr", Fields.op("$lte", Fields.field(Fields.MATURE), Fields.NOW));
        filter.put("$or", new BsonArray(List.of(Fields.doc(Fields.RESERVED, Fields.exists(false)), ended)));
        return filter;
    }

    RemoveResult remove(RemoveRequest request) {
        List<BsonValue> ids = request.ids().stream().map(MessageIds::value).toList();
        if (ids.isEmpty()) {
            return RemoveResult.builder().build();
        }
        return place.call("remove", true, () -> place.memory().removals.run(request.token(), way -> removed(ids)));
    }

    private RemoveResult removed(List<BsonValue> ids) {
        Set<BsonValue> there = ids(place.live(ids));
        Set<BsonValue> free = there.isEmpty() ? there : ids(free(place.live(ids)));
        if (!free.isEmpty()) {
            place.consume(null, free(place.live(List.copyOf(free))), true);
        }
        List<RemoveOutcome> outcomes = new ArrayList<>();
        for (BsonValue id : ids) {
            outcomes.add(
                    free.contains(id)
                            ? RemoveOutcome.REMOVED
                            : there.contains(id) ? RemoveOutcome.HELD : RemoveOutcome.ABSENT);
        }
        return RemoveResult.builder().outcomes(outcomes).build();
    }

    private Set<BsonValue> ids(BsonDocument filter) {
        Set<BsonValue> ids = new HashSet<>();
        place.find(null, filter)
                .projection(Fields.doc(Fields.ID, Fields.ONE))
                .forEach(document -> ids.add(document.get(Fields.ID)));
        return ids;
    }

    /** In parts, so that none takes long. */
    long purge() {
        return place.call("purge", true, () -> {
            long purged = 0;
            while (true) {
                List<BsonValue> some = new ArrayList<>();
                place.find(null, free(dated()))
                        .projection(Fields.doc(Fields.ID, Fields.ONE))
                        .limit(PURGED_AT_ONCE)
                        .forEach(document -> some.add(document.get(Fields.ID)));
                if (some.isEmpty()) {
                    return purged;
                }
                purged += place.consume(null, free(place.live(some)), true);
            }
        });
    }

    private BsonDocument dated() {
        BsonDocument filter = place.live();
        filter.put(Fields.MATURE, Fields.doc("$type", new BsonString("date")));
        return filter;
    }

    CountsResult counts(boolean history) {
        return place.call("counts", false, () -> counted(history));
    }

    /**
     * One command: what is due, what is not, and the history if it is asked for. Of one moment, where the server can do
     * that; else a message that is given back between its parts may be in both or in neither.
     */
    private CountsResult counted(boolean history) {
        if (place.transactional()) {
            try {
                return counted(place.collection.withReadConcern(ReadConcern.SNAPSHOT), history);
            } catch (MongoCommandException refused) {
                if (refused.getErrorCode() != MongoErrors.SNAPSHOT_UNAVAILABLE) {
                    throw refused;
                }
                // The collection is being made this moment.
            }
        }
        return counted(place.collection, history);
    }

    private CountsResult counted(MongoCollection<RawBsonDocument> collection, boolean history) {
        BsonDocument later = dated();
        later.put(Fields.TAKEN, Fields.exists(false));
        later.put("$expr", Fields.op("$gt", Fields.field(Fields.MATURE), Fields.NOW));
        BsonDocument held = Fields.isReserved();
        List<BsonDocument> pipeline = new ArrayList<>(List.of(
                Fields.doc("$match", Fields.due(place.live())),
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
                    Fields.doc("$match", Browsing.kept(place)), group("history").toGroup())));
        }
        long ready = 0;
        long oldest = 0;
        long scheduled = 0;
        long reserved = 0;
        long kept = 0;
        long next = ClaimResult.NONE;
        long now = place.link.time().nowMillis();
        for (RawBsonDocument part : collection.aggregate(pipeline)) {
            long count = part.getNumber("n").longValue();
            switch (part.getString(Fields.ID).getValue()) {
                case "ready" -> {
                    ready = count;
                    oldest = Fields.millis(part, "oldest");
                    now = part.getDateTime(Found.NOW).getValue();
                }
                case "later" -> {
                    reserved = part.getNumber("held").longValue();
                    scheduled = count - reserved;
                    now = part.getDateTime(Found.NOW).getValue();
                    if (part.isDateTime("next")) {
                        next = Math.max(0, part.getDateTime("next").getValue() - now);
                    }
                }
                default -> kept = count;
            }
        }
        return CountsResult.builder()
                .ready(ready)
                .scheduled(scheduled)
                .reserved(reserved)
                .history(kept)
                .nextMillis(ready > 0 ? 0 : next)
                .oldestReadyMillis(oldest)
                .storageMillis(now)
                .build();
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
                    .append(Found.NOW, Fields.doc("$first", Fields.NOW));
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
                Fields.doc("coll", new BsonString(place.layout.collection()))
                        .append("pipeline", new BsonArray(pipeline)));
    }
}
