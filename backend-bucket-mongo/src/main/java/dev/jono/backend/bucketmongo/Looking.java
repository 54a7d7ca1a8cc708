package dev.jono.backend.bucketmongo;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadConcern;
import com.mongodb.client.MongoCollection;
import dev.jono.RemoveOutcome;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsResult;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.support.mongo.MongoErrors;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** Counts, and removes by hand. */
final class Looking {
    private static final int PURGED_AT_ONCE = 200;

    private final Place place;

    Looking(Place place) {
        this.place = place;
    }

    RemoveResult remove(RemoveRequest request) {
        if (request.ids().isEmpty()) {
            return RemoveResult.builder().build();
        }
        Set<Place.Id> buckets = new LinkedHashSet<>();
        request.ids().forEach(id -> Spot.all(id).forEach(spot -> buckets.add(spot.bucket())));
        return place.call(
                "remove",
                true,
                () -> place.memory()
                        .removals
                        .run(
                                request.token(),
                                way -> place.backend.locks().with(buckets, () -> removed(request.ids(), buckets))));
    }

    private RemoveResult removed(List<String> ids, Set<Place.Id> buckets) {
        Map<String, RemoveOutcome> outcomes = new HashMap<>();
        while (outcomes.size() < Set.copyOf(ids).size()) {
            Map<Place.Id, Bucket> there = place.read(null, buckets, false);
            Map<Place.Id, BitSet> slots = new LinkedHashMap<>();
            Map<Place.Id, List<String>> removed = new HashMap<>();
            long now = place.nowMillis();
            for (String id : ids) {
                if (!outcomes.containsKey(id)) {
                    sort(id, there, now, slots, removed, outcomes);
                }
            }
            place.memory().shelf.forget(buckets);
            slots.forEach((id, some) -> {
                Bucket bucket = there.get(id);
                if (bucket != null && place.writeOne(null, without(bucket, some))) {
                    removed.getOrDefault(id, List.of())
                            .forEach(message -> outcomes.put(message, RemoveOutcome.REMOVED));
                }
            });
        }
        return RemoveResult.builder()
                .outcomes(ids.stream()
                        .map(id -> outcomes.getOrDefault(id, RemoveOutcome.ABSENT))
                        .toList())
                .build();
    }

    private static void sort(
            String id,
            Map<Place.Id, Bucket> there,
            long now,
            Map<Place.Id, BitSet> slots,
            Map<Place.Id, List<String>> removed,
            Map<String, RemoveOutcome> outcomes) {
        for (Spot spot : Spot.all(id)) {
            Bucket bucket = there.get(spot.bucket());
            if (bucket != null && bucket.live.get(spot.slot())) {
                if (bucket.unheld(now).get(spot.slot())) {
                    slots.computeIfAbsent(bucket.id, b -> new BitSet()).set(spot.slot());
                    removed.computeIfAbsent(bucket.id, b -> new ArrayList<>()).add(id);
                } else {
                    outcomes.put(id, RemoveOutcome.HELD);
                }
                return;
            }
        }
        outcomes.put(id, RemoveOutcome.ABSENT);
    }

    private com.mongodb.client.model.WriteModel<RawBsonDocument> without(Bucket bucket, BitSet slots) {
        Draft draft = place.draft(bucket);
        draft.consume(slots);
        return draft.model();
    }

    /** In parts, so that none takes long. What others consume at the same time may be counted too. */
    long purge() {
        return place.call("purge", true, () -> {
            long purged = 0;
            BsonValue after = null;
            while (true) {
                List<Bucket> some = page(after);
                if (some.isEmpty()) {
                    place.memory().shelf.reset();
                    return purged;
                }
                after = some.get(some.size() - 1).id.value();
                purged += purged(some);
            }
        });
    }

    private List<Bucket> page(@org.jspecify.annotations.Nullable BsonValue after) {
        BsonDocument filter = after == null ? new BsonDocument() : Fields.doc(Fields.ID, Fields.doc("$gt", after));
        List<Bucket> page = new ArrayList<>();
        place.collection
                .find(filter)
                .projection(Bucket.withoutMessages())
                .sort(Fields.doc(Fields.ID, Fields.ONE))
                .limit(PURGED_AT_ONCE)
                .forEach(document -> page.add(Bucket.read(document)));
        return page;
    }

    private long purged(List<Bucket> buckets) {
        List<Place.Id> ids = buckets.stream().map(bucket -> bucket.id).toList();
        return place.backend.locks().with(ids, () -> {
            place.memory().shelf.forget(ids);
            long purged = 0;
            Map<Place.Id, Bucket> left = new LinkedHashMap<>();
            buckets.forEach(bucket -> left.put(bucket.id, bucket));
            while (!left.isEmpty()) {
                long now = place.nowMillis();
                List<Draft> drafts = new ArrayList<>();
                long messages = 0;
                for (Bucket bucket : left.values()) {
                    BitSet free = bucket.unheld(now);
                    if (!free.isEmpty() || (bucket.live.isEmpty() && !bucket.elsewhere(now))) {
                        Draft draft = place.draft(bucket);
                        draft.consume(free);
                        drafts.add(draft);
                        messages += free.cardinality();
                    }
                }
                purged += messages;
                if (place.write(null, Place.models(drafts)) == drafts.size()) {
                    return purged;
                }
                List<Place.Id> tried = drafts.stream().map(d -> d.before().id).toList();
                Map<Place.Id, Bucket> again = place.read(null, tried, false);
                for (Draft draft : drafts) {
                    Bucket now1 = again.get(draft.before().id);
                    if (now1 != null && now1.version != draft.version()) {
                        purged -=
                                draft.before().live.cardinality() - draft.live().cardinality();
                    } else {
                        again.remove(draft.before().id);
                    }
                }
                left.keySet().retainAll(again.keySet());
                left.putAll(again);
            }
            return purged;
        });
    }

    CountsResult counts() {
        return place.call("counts", false, this::counted);
    }

    /** One command, of one moment where the server can do that. */
    private CountsResult counted() {
        if (place.transactional()) {
            try {
                return counted(place.collection.withReadConcern(ReadConcern.SNAPSHOT));
            } catch (MongoCommandException refused) {
                if (refused.getErrorCode() != MongoErrors.SNAPSHOT_UNAVAILABLE) {
                    throw refused;
                }
                // The collection is being made this moment.
            }
        }
        return counted(place.collection);
    }

    private CountsResult counted(MongoCollection<RawBsonDocument> collection) {
        BsonDocument parts = Fields.doc("due", Counting.due())
                .append("held", Counting.held())
                .append(Fields.COUNT, Counting.messages());
        BsonDocument rest = Fields.op("$subtract", Fields.field(Fields.COUNT), Fields.field("held"));
        BsonDocument ready = Fields.op("$lte", Fields.field("due"), Fields.NOW);
        BsonDocument some = Fields.op("$gt", Fields.field("rest"), Fields.ZERO);
        BsonDocument readySome = Fields.op("$and", ready, some);
        BsonDocument laterSome = Fields.op("$and", some, Fields.op("$not", ready));
        BsonDocument group = Fields.doc(Fields.ID, BsonNull.VALUE)
                .append("ready", sum(readySome, Fields.field("rest")))
                .append("later", sum(laterSome, Fields.field("rest")))
                .append("held", Fields.doc("$sum", Fields.field("held")))
                .append("oldest", min(readySome))
                .append("next", min(laterSome))
                .append(Fields.SERVER_NOW, Fields.doc("$first", Fields.NOW));
        List<BsonDocument> pipeline = List.of(
                Fields.doc("$match", Fields.doc(Fields.MATURE, Fields.isDate())),
                Fields.doc("$project", parts),
                Fields.doc("$set", Fields.doc("rest", rest)),
                Fields.doc("$group", group));
        RawBsonDocument found = collection.aggregate(pipeline).first();
        if (found == null) {
            return CountsResult.builder()
                    .nextMillis(ClaimResult.NONE)
                    .storageMillis(place.nowMillis())
                    .build();
        }
        long now = found.getDateTime(Fields.SERVER_NOW).getValue();
        long readyCount = found.getNumber("ready").longValue();
        long next = found.get("next") != null && found.isDateTime("next")
                ? Math.max(0, found.getDateTime("next").getValue() - now)
                : ClaimResult.NONE;
        return CountsResult.builder()
                .ready(readyCount)
                .scheduled(found.getNumber("later").longValue())
                .reserved(found.getNumber("held").longValue())
                .nextMillis(readyCount > 0 ? 0 : next)
                .oldestReadyMillis(readyCount > 0 ? found.getDateTime("oldest").getValue() : 0)
                .storageMillis(now)
                .build();
    }

    private static BsonDocument sum(BsonValue condition, BsonValue number) {
        return Fields.doc("$sum", Fields.op("$cond", condition, number, Fields.ZERO));
    }

    private static BsonDocument min(BsonValue condition) {
        return Fields.doc("$min", Fields.op("$cond", condition, Fields.field("due"), BsonNull.VALUE));
    }

    /** What the server computes of a bucket, as {@link Bucket} does here. */
    static final class Counting {
        private Counting() {}

        private static BsonDocument jonosHolders() {
            return Fields.op("$and", Fields.doc("$isArray", Fields.field(Fields.HELD)), Fields.unseenByOthers());
        }

        /** When its messages are due, or were before they were held. */
        static BsonDocument due() {
            BsonDocument leftOver = Fields.op(
                    "$and", Fields.doc("$not", Fields.list(Fields.unseenByOthers())), Fields.isThere(Fields.RESERVED));
            BsonArray before = new BsonArray(
                    List.of(Fields.field(Fields.DUE), Fields.field(Fields.FREE), Fields.field(Fields.MATURE)));
            return Fields.op(
                    "$cond",
                    jonosHolders(),
                    Fields.ifNull(Fields.DUE, Fields.field(Fields.MATURE)),
                    Fields.op("$cond", leftOver, Fields.doc("$ifNull", before), Fields.field(Fields.MATURE)));
        }

        /** How many it has; what is no bucket counts as one. */
        static BsonDocument messages() {
            BsonDocument number = Fields.doc("$isNumber", Fields.field(Fields.COUNT));
            return Fields.op("$cond", number, Fields.field(Fields.COUNT), Fields.ONE);
        }

        /** How many of its messages are held. */
        static BsonDocument held() {
            BsonDocument lasts = Fields.op("$gt", new BsonString("$$this.end"), Fields.NOW);
            BsonDocument sum = Fields.doc(
                    "$sum",
                    Fields.doc(
                            "$map",
                            Fields.doc("input", Fields.field(Fields.HELD))
                                    .append("in", Fields.op("$cond", lasts, new BsonString("$$this.n"), Fields.ZERO))));
            BsonDocument others = Fields.op(
                    "$and", Fields.isThere(Fields.RESERVED), Fields.op("$gt", Fields.field(Fields.MATURE), Fields.NOW));
            return Fields.op("$cond", jonosHolders(), sum, Fields.op("$cond", others, messages(), Fields.ZERO));
        }
    }
}
