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
 * Releases: gives held messages back. A message that keeps its due time and tries stays in its slot. With another due time or
 * one more try, the bucket is changed if it holds nothing else; otherwise the message moves to its own bucket, in a transaction
 * if the server supports them. Called by {@link BucketQueue} on threads that may block.
 */
final class Releases {
    private final BucketCollection collection;
    private final Settlements settlements;

    Releases(BucketCollection collection, Settlements settlements) {
        this.collection = collection;
        this.settlements = settlements;
    }

    SettleResult release(ReleaseRequest request) {
        if (request.items().isEmpty()) {
            return SettleResult.builder().build();
        }
        SettleResult result = collection.call(
                "release",
                true,
                () -> collection
                        .memory()
                        .settles
                        .run(request.token(), running -> new Release(request.items()).result(running)));
        collection.memory().buckets.resetCandidates();
        return result;
    }

    /** One request and its progress: a repetition of the call continues where it failed. */
    private final class Release {
        private final List<Item> items;
        private final SettleProgress progress;
        /** Own buckets that were stored without a transaction: another consumer may hold or have removed them by now. */
        private final Set<BucketId> stored = new HashSet<>();

        Release(List<Item> items) {
            this.items = items;
            this.progress = new SettleProgress(items.stream().map(Item::receipt).toList());
        }

        SettleResult result(RepeatableCalls.Running<SettleResult> running) {
            return settlements.settle("release", progress, running, () -> {
                boolean complete = settlements.changeIfPossible(
                        "release",
                        progress,
                        this::inPlace,
                        changes -> settlements.writeRepeatable("release", progress, changes));
                if (!complete) {
                    split();
                }
            });
        }

        /** Changes the bucket itself, if its messages keep due time and tries, or if all of them are released alike. */
        private boolean inPlace(BucketChange change, OwnSlots held) {
            BitSet slots = held.slots();
            List<Item> given =
                    held.itemBySlot().values().stream().map(items::get).toList();
            Item first = given.get(0);
            if (given.stream().allMatch(item -> item.due() == null && !item.counted())) {
                change.endLeases(slots);
                return true;
            }
            boolean alike =
                    given.stream().allMatch(item -> item.due() == first.due() && item.counted() == first.counted());
            boolean wholeBucket = slots.equals(change.before().live);
            if (!wholeBucket || !(alike || given.size() == 1)) {
                return false;
            }
            change.endLeases(slots);
            change.reschedule(dueMillis(change.before(), first.due()), first.counted());
            return true;
        }

        private long dueMillis(Bucket bucket, @Nullable Due due) {
            return due == null ? bucket.dueMillis : collection.dueMillis(due);
        }

        /** Moves the messages that cannot stay in their slot to own buckets. */
        private void split() {
            collection.memory().buckets.forget(progress.buckets);
            if (!collection.transactional()) {
                split(null, progress);
                return;
            }
            SettleProgress done = collection
                    .transactions()
                    .run(
                            "release",
                            collection.queueName,
                            session -> {
                                SettleProgress attempt = progress.copy();
                                split(session, attempt);
                                return attempt;
                            },
                            later -> progress.answerLost(() -> later.get().ifPresent(progress::accept)));
            progress.accept(done);
        }

        /** Without a transaction, a crash between the writes leaves a message twice, never lost. */
        private void split(@Nullable ClientSession session, SettleProgress attempt) {
            Map<BucketId, Bucket> buckets = collection.read(session, progress.buckets, true);
            Map<BucketId, OwnSlots> held = attempt.sort(buckets, settlements.latestMillis());
            if (session == null && settlements.extendEndingLeases(buckets, held)) {
                split(null, attempt);
                return;
            }
            Map<BucketChange, OwnSlots> changes = new LinkedHashMap<>();
            Map<BucketId, WriteModel<RawBsonDocument>> ownBuckets = new LinkedHashMap<>();
            held.forEach((id, slots) -> {
                Bucket bucket = buckets.get(id);
                if (bucket != null) {
                    BucketChange change = collection.change(bucket);
                    changes.put(change, slots);
                    split(bucket, change, slots, ownBuckets);
                }
            });
            collection.memory().buckets.forget(progress.buckets); // the leases may have been extended above
            ownBuckets.keySet().removeAll(stored);
            collection.write(session, List.copyOf(ownBuckets.values()));
            if (session == null) {
                stored.addAll(ownBuckets.keySet());
            }
            if (changes.isEmpty()) {
                return;
            }
            if (session == null) {
                writeWithoutTransaction(attempt, changes);
            } else {
                collection.write(session, BucketCollection.models(changes.keySet()));
                changes.values().forEach(attempt::done);
            }
        }

        /** Changes one bucket; adds the own buckets of the messages that leave it. */
        private void split(
                Bucket bucket,
                BucketChange change,
                OwnSlots held,
                Map<BucketId, WriteModel<RawBsonDocument>> ownBuckets) {
            if (!hasStored(bucket, held) && inPlace(change, held)) {
                return;
            }
            BitSet staying = new BitSet();
            BitSet leaving = new BitSet();
            held.itemBySlot().forEach((slot, index) -> {
                Item item = items.get(index);
                if (item.due() == null && !item.counted()) {
                    staying.set(slot);
                } else {
                    leaving.set(slot);
                    addOwn(bucket, slot, item, ownBuckets);
                }
            });
            change.endLeases(staying);
            change.remove(leaving);
        }

        private void writeWithoutTransaction(SettleProgress attempt, Map<BucketChange, OwnSlots> changes) {
            BucketCollection.WriteCounts written;
            try {
                written = collection.writeCounted(null, BucketCollection.models(changes.keySet()));
            } catch (MongoException unanswered) {
                changes.forEach(attempt::maybeDone);
                throw unanswered;
            }
            settlements.recordOutcome("release", attempt, changes, written);
            if (written.all() < changes.size()) {
                split(null, attempt);
            }
        }

        /** Whether the own bucket of one of these messages is stored already, so that the message must leave its slot. */
        private boolean hasStored(Bucket bucket, OwnSlots held) {
            return held.itemBySlot().keySet().stream()
                    .map(slot -> bucket.idOf(slot, bucket.slot(slot)))
                    .anyMatch(id -> stored.contains(SlotAddress.ofOwnBucket(id).bucket()));
        }

        private void addOwn(Bucket bucket, int slot, Item item, Map<BucketId, WriteModel<RawBsonDocument>> ownBuckets) {
            BsonDocument own = BucketWriter.own(
                    bucket, slot, dueMillis(bucket, item.due()), item.counted() ? 1 : 0, collection.plain());
            BucketId id = new BucketId(Objects.requireNonNull(own.get(Fields.ID)));
            ownBuckets.put(id, BucketCollection.upsert(id, own));
        }
    }
}
