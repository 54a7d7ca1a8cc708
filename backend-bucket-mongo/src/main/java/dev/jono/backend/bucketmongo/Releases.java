package dev.jono.backend.bucketmongo;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.model.WriteModel;
import dev.jono.spi.Due;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.ReleaseRequest.Item;
import dev.jono.spi.SettleResult;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Gives messages back. One that keeps its due time stays in its slot. One with another due time, or one more try, changes its
 * bucket if nothing else is in it; else it moves to a bucket of its own, in one transaction where the server has them.
 */
final class Releases {
    private final BucketCollection collection;
    private final Settlements settling;

    Releases(BucketCollection collection, Settlements settling) {
        this.collection = collection;
        this.settling = settling;
    }

    SettleResult release(ReleaseRequest request) {
        if (request.items().isEmpty()) {
            return SettleResult.builder().build();
        }
        SettleResult result = collection.call(
                "release",
                true,
                () -> collection.memory().settles.run(request.token(), way -> new Release(request.items()).result(way)));
        collection.memory().buckets.resetCandidates();
        return result;
    }

    /** One request, and what has become of it: its repetition goes on where a failure has ended it. */
    private final class Release {
        private final List<Item> items;
        private final SettleProgress progress;
        /** Buckets that were stored without a transaction: they may be others' by now. */
        private final Set<BucketId> stored = new HashSet<>();

        Release(List<Item> items) {
            this.items = items;
            this.progress = new SettleProgress(items.stream().map(Item::receipt).toList());
        }

        SettleResult result(RepeatableCalls.Way<SettleResult> way) {
            return settling.settle("release", progress, way, () -> {
                if (!settling.changeIfPossible(
                        "release", progress, this::inPlace, changes -> settling.writeRepeatable("release", progress, changes))) {
                    split();
                }
            });
        }

        /** Changes the bucket itself, if all that it holds is given back alike; or what keeps its due time and tries. */
        private boolean inPlace(BucketChange change, OwnSlots held) {
            BitSet slots = held.slots();
            List<Item> given = held.itemBySlot().values().stream().map(items::get).toList();
            Item first = given.get(0);
            if (given.stream().allMatch(item -> item.due() == null && !item.counted())) {
                change.endLeases(slots);
                return true;
            }
            boolean alike =
                    given.stream().allMatch(item -> item.due() == first.due() && item.counted() == first.counted());
            boolean all = slots.equals(change.before().live);
            if (!all || !(alike || given.size() == 1)) {
                return false;
            }
            change.endLeases(slots);
            change.reschedule(dueMillis(change.before(), first.due()), first.counted());
            return true;
        }

        private long dueMillis(Bucket bucket, @Nullable Due due) {
            return due == null ? bucket.dueMillis : collection.dueMillis(due);
        }

        private void split() {
            collection.memory().buckets.forget(progress.buckets);
            if (!collection.transactional()) {
                split(null, progress);
                return;
            }
            SettleProgress done = collection.transactions()
                    .run(
                            "release",
                            collection.queue,
                            session -> {
                                SettleProgress attempt = progress.copy();
                                split(session, attempt);
                                return attempt;
                            },
                            later -> progress.answerLost(() -> later.get().ifPresent(progress::accept)));
            progress.accept(done);
        }

        /** Without a transaction a crash in between leaves two, never none. */
        private void split(@Nullable ClientSession session, SettleProgress attempt) {
            Map<BucketId, Bucket> buckets = collection.read(session, progress.buckets, true);
            Map<BucketId, OwnSlots> held = attempt.sort(buckets, settling.latestMillis());
            if (session == null && settling.extendEndingLeases(buckets, held)) {
                split(null, attempt);
                return;
            }
            Map<BucketChange, OwnSlots> changes = new LinkedHashMap<>();
            Map<BucketId, WriteModel<RawBsonDocument>> ownBuckets = new LinkedHashMap<>();
            held.forEach((id, slots) -> {
                Bucket bucket = buckets.get(id);
                if (bucket == null) {
                    return;
                }
                BucketChange change = collection.change(bucket);
                changes.put(change, slots);
                if (!stored(bucket, slots) && inPlace(change, slots)) {
                    return;
                }
                BitSet stay = new BitSet();
                BitSet leave = new BitSet();
                slots.itemBySlot().forEach((slot, index) -> {
                    Item item = items.get(index);
                    if (item.due() == null && !item.counted()) {
                        stay.set(slot);
                    } else {
                        leave.set(slot);
                        own(bucket, slot, item, ownBuckets);
                    }
                });
                change.endLeases(stay);
                change.remove(leave);
            });

            collection.memory().buckets.forget(progress.buckets); // what was read or extended on the way is about to change
            ownBuckets.keySet().removeAll(stored);
            collection.write(session, List.copyOf(ownBuckets.values()));
            if (session == null) {
                stored.addAll(ownBuckets.keySet());
            }
            if (changes.isEmpty()) {
                return;
            }
            List<WriteModel<RawBsonDocument>> models = BucketCollection.models(changes.keySet());
            if (session != null) {
                collection.write(session, models);
                changes.values().forEach(attempt::done);
                return;
            }
            BucketCollection.WriteCounts written;
            try {
                written = collection.writeCounted(null, models);
            } catch (MongoException unanswered) {
                changes.forEach(attempt::maybeDone);
                throw unanswered;
            }
            settling.recordOutcome("release", attempt, changes, written);
            if (written.all() < changes.size()) {
                split(null, attempt);
            }
        }

        /** Whether one of these has its copy already, and is to leave the bucket. */
        private boolean stored(Bucket bucket, OwnSlots held) {
            return held.itemBySlot().keySet().stream()
                    .map(slot -> bucket.idOf(slot, bucket.slot(slot)))
                    .anyMatch(id -> stored.contains(SlotAddress.ofOwnBucket(id).bucket()));
        }

        private void own(Bucket bucket, int slot, Item item, Map<BucketId, WriteModel<RawBsonDocument>> ownBuckets) {
            BsonDocument alone = BucketWriter.own(
                    bucket, slot, dueMillis(bucket, item.due()), item.counted() ? 1 : 0, collection.plain());
            BucketId id = new BucketId(Objects.requireNonNull(alone.get(Fields.ID)));
            ownBuckets.put(id, BucketCollection.upsert(id, alone));
        }
    }
}
