package dev.jono.backend.bucketmongo;

import com.mongodb.MongoException;
import com.mongodb.client.model.WriteModel;
import dev.jono.JonoException;
import dev.jono.RemoveOutcome;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.RepeatableWrite;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** Removes by hand what nobody holds: some messages, or all. */
final class Removals {
    private static final int PURGE_BATCH = 200;
    /** So often others may be in the way. */
    private static final int ATTEMPTS = 50;

    private final BucketCollection place;

    Removals(BucketCollection place) {
        this.place = place;
    }

    RemoveResult remove(RemoveRequest request) {
        if (request.ids().isEmpty()) {
            return RemoveResult.builder().build();
        }
        return place.call(
                "remove",
                true,
                () -> place.memory().removals.run(request.token(), way -> new Removal(request.ids(), way).result()));
    }

    /** One request, and what has become of it: its repetition goes on where a failure has ended it. */
    private final class Removal {
        private final List<String> ids;
        private final Set<BucketCollection.BucketId> buckets = new LinkedHashSet<>();
        private final RepeatableCalls.Way<RemoveResult> way;
        private final Map<String, RemoveOutcome> outcomes = new HashMap<>();
        /** Finishes a write whose answer was lost. */
        private @Nullable Runnable lostAnswer;

        Removal(List<String> ids, RepeatableCalls.Way<RemoveResult> way) {
            this.ids = ids;
            this.way = way;
            ids.forEach(id -> SlotAddress.candidates(id).forEach(spot -> buckets.add(spot.bucket())));
        }

        RemoveResult result() {
            return place.backend.locks().with(buckets, () -> {
                try {
                    return removeAll();
                } catch (MongoException | JonoException failure) {
                    if (lostAnswer == null && !outcomes.containsValue(RemoveOutcome.REMOVED)) {
                        throw failure;
                    }
                    way.leave(() -> Optional.of(result()));
                    throw MongoErrors.begun("remove", place.queue, failure);
                }
            });
        }

        private RemoveResult removeAll() {
            if (lostAnswer != null) {
                lostAnswer.run();
                lostAnswer = null;
            }
            for (int i = 0; i < ATTEMPTS && outcomes.size() < Set.copyOf(ids).size(); i++) {
                attempt();
            }
            return RemoveResult.builder()
                    .outcomes(ids.stream()
                            .map(id -> outcomes.getOrDefault(id, RemoveOutcome.HELD))
                            .toList())
                    .build();
        }

        private void attempt() {
            Map<BucketCollection.BucketId, Bucket> there = place.read(null, buckets, false);
            Map<Bucket, Map<String, Integer>> free = new LinkedHashMap<>();
            long now = place.nowMillis();
            for (String id : ids) {
                if (!outcomes.containsKey(id)) {
                    sort(id, there, now, free);
                }
            }
            place.memory().buckets.forget(buckets);
            free.forEach(this::remove);
        }

        private void sort(String id, Map<BucketCollection.BucketId, Bucket> there, long now, Map<Bucket, Map<String, Integer>> free) {
            for (SlotAddress spot : SlotAddress.candidates(id)) {
                Bucket bucket = there.get(spot.bucket());
                if (bucket != null && bucket.live.get(spot.slot())) {
                    if (bucket.unheld(now).get(spot.slot())) {
                        free.computeIfAbsent(bucket, b -> new LinkedHashMap<>()).put(id, spot.slot());
                    } else {
                        outcomes.put(id, RemoveOutcome.HELD);
                    }
                    return;
                }
            }
            outcomes.put(id, RemoveOutcome.ABSENT);
        }

        /**
         * A command for each bucket tells what became of it, and can be sent again.
         *
         * @param messages their slots, by the ids that were asked for; two may name one
         */
        private void remove(Bucket bucket, Map<String, Integer> messages) {
            BucketChange draft = place.change(bucket);
            BitSet slots = new BitSet();
            messages.values().forEach(slots::set);
            draft.remove(slots);
            WriteModel<RawBsonDocument> write = draft.model();
            boolean done = new RepeatableWrite<>(
                            place.link, "remove", place.queue, session -> place.writeOne(session, write))
                    .send(again -> lostAnswer = () ->
                            recordOutcome(again.get().orElseThrow(() -> MongoErrors.untold("remove", place.queue)), messages));
            recordOutcome(done, messages);
        }

        private void recordOutcome(boolean done, Map<String, Integer> messages) {
            if (done) {
                messages.keySet().forEach(id -> outcomes.put(id, RemoveOutcome.REMOVED));
            }
        }
    }

    /** In parts, so that none takes long. What others consume at the same time may be counted too. */
    long purge() {
        return place.call("purge", true, () -> {
            List<Bucket> some = page(null);
            return place.afterWrite("purge", () -> purgeFrom(some));
        });
    }

    private long purgeFrom(List<Bucket> first) {
        long purged = 0;
        for (List<Bucket> some = first;
                !some.isEmpty();
                some = page(some.get(some.size() - 1).id.value())) {
            purged += purgeBuckets(some);
        }
        place.memory().buckets.resetCandidates();
        return purged;
    }

    private List<Bucket> page(@Nullable BsonValue after) {
        BsonDocument filter = after == null ? new BsonDocument() : Fields.doc(Fields.ID, Fields.doc("$gt", after));
        List<Bucket> page = new ArrayList<>();
        place.documents
                .find(filter)
                .projection(BucketReader.withoutMessages())
                .sort(Fields.doc(Fields.ID, Fields.ONE))
                .limit(PURGE_BATCH)
                .forEach(document -> page.add(BucketReader.read(document)));
        return page;
    }

    private long purgeBuckets(List<Bucket> buckets) {
        List<BucketCollection.BucketId> ids = buckets.stream().map(bucket -> bucket.id).toList();
        return place.backend.locks().with(ids, () -> {
            place.memory().buckets.forget(ids);
            long purged = 0;
            Map<BucketCollection.BucketId, Bucket> left = new LinkedHashMap<>();
            buckets.forEach(bucket -> left.put(bucket.id, bucket));
            for (int i = 0; i < ATTEMPTS && !left.isEmpty(); i++) {
                long now = place.nowMillis();
                List<BucketChange> drafts = new ArrayList<>();
                long messages = 0;
                for (Bucket bucket : left.values()) {
                    BitSet free = bucket.unheld(now);
                    if (!free.isEmpty() || (bucket.live.isEmpty() && !bucket.heldByKeuss(now))) {
                        BucketChange draft = place.change(bucket);
                        draft.remove(free);
                        drafts.add(draft);
                        messages += free.cardinality();
                    }
                }
                purged += messages;
                if (place.write(null, BucketCollection.models(drafts)) == drafts.size()) {
                    return purged;
                }
                List<BucketCollection.BucketId> tried = drafts.stream().map(d -> d.before().id).toList();
                Map<BucketCollection.BucketId, Bucket> again = place.read(null, tried, false);
                for (BucketChange draft : drafts) {
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
}
