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
import dev.jono.support.mongo.RepeatedReads;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Removals: removes some messages, or purges all, unless they are held. Called by {@link BucketQueue} on threads that may block.
 */
final class Removals {
    private static final int PURGE_BATCH = 200;
    /** How often a step is tried while other processes change its buckets. */
    private static final int MAX_ATTEMPTS = 50;

    private final BucketCollection collection;

    Removals(BucketCollection collection) {
        this.collection = collection;
    }

    RemoveResult remove(RemoveRequest request) {
        if (request.ids().isEmpty()) {
            return RemoveResult.builder().build();
        }
        return collection.call(
                "remove",
                true,
                () -> collection
                        .memory()
                        .removals
                        .run(request.token(), running -> new Removal(request.ids(), running).result()));
    }

    /** One request and its outcomes so far: a repetition of the call continues where it failed. */
    private final class Removal {
        private final List<String> ids;
        private final Set<BucketId> buckets;
        private final RepeatableCalls.Running<RemoveResult> running;
        private final Map<String, RemoveOutcome> outcomes = new HashMap<>();
        /** Finds out the outcome of a write whose answer was lost. */
        private @Nullable Runnable lostAnswer;

        Removal(List<String> ids, RepeatableCalls.Running<RemoveResult> running) {
            this.ids = ids;
            this.running = running;
            this.buckets = SlotAddress.candidateBuckets(ids);
        }

        RemoveResult result() {
            return collection.context.locks().with(buckets, () -> {
                try {
                    return removeAll();
                } catch (MongoException | JonoException failure) {
                    if (lostAnswer == null && !outcomes.containsValue(RemoveOutcome.REMOVED)) {
                        throw failure;
                    }
                    running.onRepeat(() -> Optional.of(result()));
                    throw MongoErrors.outcomeUnknown("remove", collection.queueName, failure);
                }
            });
        }

        private RemoveResult removeAll() {
            if (lostAnswer != null) {
                lostAnswer.run();
                lostAnswer = null;
            }
            for (int i = 0;
                    i < MAX_ATTEMPTS && outcomes.size() < Set.copyOf(ids).size();
                    i++) {
                attempt();
            }
            return RemoveResult.builder()
                    .outcomes(ids.stream()
                            .map(id -> outcomes.getOrDefault(id, RemoveOutcome.HELD))
                            .toList())
                    .build();
        }

        private void attempt() {
            Map<BucketId, Bucket> current = collection.read(null, buckets, false);
            Map<Bucket, Map<String, Integer>> free = new LinkedHashMap<>();
            long now = collection.nowMillis();
            for (String id : ids) {
                if (!outcomes.containsKey(id)) {
                    sort(id, current, now, free);
                }
            }
            collection.memory().buckets.forget(buckets);
            free.forEach(this::remove);
        }

        /** Gives an id its outcome if its message is held or absent; otherwise adds the message to those to remove. */
        private void sort(String id, Map<BucketId, Bucket> current, long now, Map<Bucket, Map<String, Integer>> free) {
            for (SlotAddress address : SlotAddress.candidates(id)) {
                Bucket bucket = current.get(address.bucket());
                if (bucket != null && bucket.live.get(address.slot())) {
                    if (bucket.unheld(now).get(address.slot())) {
                        free.computeIfAbsent(bucket, b -> new LinkedHashMap<>()).put(id, address.slot());
                    } else {
                        outcomes.put(id, RemoveOutcome.HELD);
                    }
                    return;
                }
            }
            outcomes.put(id, RemoveOutcome.ABSENT);
        }

        /**
         * Removes messages of one bucket with one command, whose outcome the server can be asked for.
         *
         * @param messages the slots by the requested ids; two ids may name one slot
         */
        private void remove(Bucket bucket, Map<String, Integer> messages) {
            BucketChange change = collection.change(bucket);
            BitSet slots = new BitSet();
            messages.values().forEach(slots::set);
            change.remove(slots);
            WriteModel<RawBsonDocument> write = change.model();
            boolean done = new RepeatableWrite<>(
                            collection.link,
                            "remove",
                            collection.queueName,
                            session -> collection.writeOne(session, write))
                    .send(again -> lostAnswer = () -> recordOutcome(
                            again.get().orElseThrow(() -> MongoErrors.outcomeUnknown("remove", collection.queueName)),
                            messages));
            recordOutcome(done, messages);
        }

        private void recordOutcome(boolean done, Map<String, Integer> messages) {
            if (done) {
                messages.keySet().forEach(id -> outcomes.put(id, RemoveOutcome.REMOVED));
            }
        }
    }

    /** Purges page by page, so that each step is short. May count messages that other consumers take at the same time. */
    long purge() {
        return collection.call("purge", true, () -> {
            List<Bucket> page = page(null);
            return collection.afterChange("purge", () -> purgeFrom(page));
        });
    }

    private long purgeFrom(List<Bucket> first) {
        long purged = 0;
        for (List<Bucket> page = first;
                !page.isEmpty();
                page = page(page.get(page.size() - 1).id.value())) {
            purged += purgeBuckets(page);
        }
        collection.memory().buckets.resetCandidates();
        return purged;
    }

    private List<Bucket> page(@Nullable BsonValue after) {
        BsonDocument filter = after == null ? new BsonDocument() : Fields.doc(Fields.ID, Fields.doc("$gt", after));
        return RepeatedReads.all(collection
                        .documents
                        .find(filter)
                        .projection(BucketReader.withoutMessages())
                        .sort(Fields.doc(Fields.ID, Fields.ONE))
                        .limit(PURGE_BATCH))
                .stream()
                .map(BucketReader::read)
                .toList();
    }

    private long purgeBuckets(List<Bucket> buckets) {
        List<BucketId> ids = buckets.stream().map(bucket -> bucket.id).toList();
        return collection.context.locks().with(ids, () -> {
            collection.memory().buckets.forget(ids);
            long purged = 0;
            Map<BucketId, Bucket> left = new LinkedHashMap<>();
            buckets.forEach(bucket -> left.put(bucket.id, bucket));
            for (int i = 0; i < MAX_ATTEMPTS && !left.isEmpty(); i++) {
                long now = collection.nowMillis();
                List<BucketChange> changes = new ArrayList<>();
                long messages = 0;
                for (Bucket bucket : left.values()) {
                    BitSet free = bucket.unheld(now);
                    if (!free.isEmpty() || (bucket.live.isEmpty() && !bucket.heldByKeuss(now))) {
                        BucketChange change = collection.change(bucket);
                        change.remove(free);
                        changes.add(change);
                        messages += free.cardinality();
                    }
                }
                purged += messages;
                if (collection.write(null, BucketCollection.models(changes)) == changes.size()) {
                    return purged;
                }
                List<BucketId> tried =
                        changes.stream().map(change -> change.before().id).toList();
                Map<BucketId, Bucket> unchanged = collection.read(null, tried, false);
                for (BucketChange change : changes) {
                    Bucket current = unchanged.get(change.before().id);
                    if (current != null && current.version != change.version()) {
                        purged -= change.before().live.cardinality()
                                - change.live().cardinality();
                    } else {
                        unchanged.remove(change.before().id);
                    }
                }
                left.keySet().retainAll(unchanged.keySet());
                left.putAll(unchanged);
            }
            return purged;
        });
    }
}
