package dev.jono.backend.bucketmongo;

import com.mongodb.MongoException;
import com.mongodb.client.model.WriteModel;
import dev.jono.JonoException;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.support.mongo.LeaseMargin;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.RepeatableWrite;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.bson.RawBsonDocument;

/**
 * Ends and changes reservations: what is still this holder's is changed in its bucket, on the condition that the bucket is
 * as it is known. Where others have changed it, it is read and the step is made anew.
 */
final class Settlements {
    private final BucketCollection collection;

    Settlements(BucketCollection collection) {
        this.collection = collection;
    }

    SettleResult ack(SettleRequest request) {
        return change("ack", request.receipts(), (change, own) -> change.remove(own.slots()));
    }

    SettleResult extend(ExtendRequest request) {
        return change("extend", request.receipts(), (change, own) -> {
            long end = collection.link.time().latestMillis() + request.leaseMillis();
            own.byToken().forEach((token, slots) -> change.extend(token, slots, end));
        });
    }

    /** Needs no memory of the call: what a repetition finds gone, given back or extended is what it expects. */
    private SettleResult change(String step, List<Receipt> receipts, BiConsumer<BucketChange, OwnSlots> edit) {
        if (receipts.isEmpty()) {
            return SettleResult.builder().build();
        }
        return collection.call(step, true, () -> {
            SettleProgress progress = new SettleProgress(receipts);
            BiPredicate<BucketChange, OwnSlots> always = (change, own) -> {
                edit.accept(change, own);
                return true;
            };
            return settle(
                    step,
                    progress,
                    forgotten -> {},
                    () -> changeIfPossible(step, progress, always, changes -> collection.writeCounted(null, BucketCollection.models(changes.keySet()))));
        });
    }

    /**
     * Settles while nobody else of this process changes these buckets. Where it fails behind something that was done, the
     * repetition goes on from there.
     *
     * @param steps gives all that is in the work an outcome; may find some of it done
     */
    SettleResult settle(String step, SettleProgress progress, RepeatableCalls.Way<SettleResult> way, Runnable steps) {
        return collection.context.locks().with(progress.buckets, () -> {
            try {
                progress.findLostAnswer();
                steps.run();
                return result(progress);
            } catch (MongoException | JonoException failure) {
                if (!progress.maybeStored()) {
                    throw failure;
                }
                way.leave(() -> Optional.of(settle(step, progress, way, steps)));
                throw MongoErrors.begun(step, collection.queue, failure);
            }
        });
    }

    /**
     * Does something to what is still its holder's, if it can be done to all that is left of it; says whether it could. What
     * has been done is in the work.
     *
     * @param write sends the changes
     */
    boolean changeIfPossible(
            String step, SettleProgress progress, BiPredicate<BucketChange, OwnSlots> edit, Function<Map<BucketChange, OwnSlots>, BucketCollection.WriteCounts> write) {
        BucketCache cache = collection.memory().buckets;
        while (true) {
            Map<BucketId, Bucket> buckets = currentBuckets(progress);
            Map<BucketId, OwnSlots> ownByBucket = progress.sort(buckets, latestMillis());
            if (ownByBucket.size() > 1 && extendEndingLeases(buckets, ownByBucket)) {
                continue;
            }
            Map<BucketChange, OwnSlots> changes = new LinkedHashMap<>();
            for (Map.Entry<BucketId, OwnSlots> entry : ownByBucket.entrySet()) {
                BucketChange change = collection.change(Objects.requireNonNull(buckets.get(entry.getKey())));
                if (!edit.test(change, entry.getValue())) {
                    return false;
                }
                changes.put(change, entry.getValue());
            }
            if (changes.isEmpty()) {
                return true;
            }
            cache.forget(progress.buckets);
            BucketCollection.WriteCounts written = write.apply(changes);
            if (written.all() == changes.size()) {
                cache.written(changes.keySet());
            }
            recordOutcome(step, progress, changes, written);
        }
    }

    /**
     * Extends leases that end soon ({@link LeaseMargin}), and says whether there were any; others may have taken the messages
     * first.
     */
    boolean extendEndingLeases(Map<BucketId, Bucket> buckets, Map<BucketId, OwnSlots> ownByBucket) {
        long now = latestMillis();
        List<BucketChange> changes = new ArrayList<>();
        ownByBucket.forEach((id, own) -> {
            Bucket bucket = Objects.requireNonNull(buckets.get(id));
            if (LeaseMargin.endsSoon(own.firstEndMillis(bucket), now)) {
                long end = Math.max(now + LeaseMargin.EXTENDED_MILLIS, own.lastEndMillis(bucket));
                BucketChange change = collection.change(bucket);
                own.byToken().forEach((token, slots) -> change.extend(token, slots, end));
                changes.add(change);
            }
        });
        if (changes.isEmpty()) {
            return false;
        }
        BucketCache cache = collection.memory().buckets;
        cache.forget(changes.stream().map(change -> change.before().id).toList());
        if (collection.write(null, BucketCollection.models(changes)) == changes.size()) {
            cache.written(changes);
        }
        return true;
    }

    /** The server's clock, not earlier than it is. */
    long latestMillis() {
        return collection.link.timeAsSeen().latestMillis();
    }

    /** Buckets of what has no outcome yet: as they are known, where they hold all that is looked for; else as they are. */
    private Map<BucketId, Bucket> currentBuckets(SettleProgress progress) {
        BucketCache cache = collection.memory().buckets;
        Set<BucketId> open = progress.unsettledBuckets();
        Map<BucketId, Bucket> known = new HashMap<>();
        for (BucketId id : open) {
            Bucket bucket = cache.get(id);
            if (bucket != null) {
                known.put(id, bucket);
            }
        }
        known.keySet().removeAll(progress.outdated(known));
        if (known.size() < open.size()) {
            List<BucketId> unknown =
                    open.stream().filter(id -> !known.containsKey(id)).toList();
            Map<BucketId, Bucket> read = collection.read(null, unknown, false);
            read.values().forEach(cache::put);
            known.putAll(read);
        }
        return known;
    }

    /**
     * One command that ends leases and deletes nothing; if its answer is lost, the work knows how to find out what became
     * of it.
     */
    BucketCollection.WriteCounts writeRepeatable(String step, SettleProgress progress, Map<BucketChange, OwnSlots> changes) {
        List<WriteModel<RawBsonDocument>> models = BucketCollection.models(changes.keySet());
        return new RepeatableWrite<>(collection.link, step, collection.queue, session -> collection.writeCounted(session, models))
                .send(again -> progress.answerLost(() -> again.get()
                        .ifPresentOrElse(
                                written -> recordOutcome(step, progress, changes, written), () -> changes.forEach(progress::maybeDone))));
    }

    /** Notes what became of some changes. */
    void recordOutcome(String step, SettleProgress progress, Map<BucketChange, OwnSlots> changes, BucketCollection.WriteCounts written) {
        Map<BucketChange, OwnSlots> deletions = new LinkedHashMap<>();
        Map<BucketChange, OwnSlots> updates = new LinkedHashMap<>();
        changes.forEach((change, own) -> (change.deletes() ? deletions : updates).put(change, own));
        recordOutcomeOfKind(step, progress, deletions, written.deletions());
        recordOutcomeOfKind(step, progress, updates, written.all() - written.deletions());
    }

    /** Finds out which changes took place: by the buckets, and by the number where others may have taken the messages since. */
    private void recordOutcomeOfKind(String step, SettleProgress progress, Map<BucketChange, OwnSlots> changes, long number) {
        if (number == changes.size()) {
            changes.values().forEach(progress::done);
            return;
        }
        if (number == 0) {
            return;
        }
        changes.forEach(progress::maybeDone); // until it is known which
        List<BucketId> ids = changes.keySet().stream().map(d -> d.before().id).toList();
        Map<BucketId, Bucket> now = collection.read(null, ids, false);
        now.values().forEach(collection.memory().buckets::put);
        long nowMillis = latestMillis();
        List<OwnSlots> done = new ArrayList<>();
        List<OwnSlots> possiblyDone = new ArrayList<>();
        changes.forEach((change, own) -> {
            Bucket bucket = now.get(change.before().id);
            if (bucket != null && bucket.version == change.version()) {
                done.add(own);
            } else if (own.hasEndedIn(bucket, change)) {
                possiblyDone.add(own);
            }
        });
        long left = number - done.size();
        if (left > 0 && left < possiblyDone.size()) {
            // While a lease lasts, nobody but its holder can have ended it.
            changes.forEach((change, own) -> {
                if (own.firstEndMillis(change.before()) <= nowMillis) {
                    possiblyDone.remove(own);
                }
            });
            if (left != possiblyDone.size()) {
                throw MongoErrors.untold(step, collection.queue);
            }
        }
        if (left > 0) {
            done.addAll(possiblyDone);
        }
        changes.values().forEach(own -> {
            if (done.contains(own)) {
                progress.done(own);
            } else {
                progress.notDone(own);
            }
        });
    }

    /** What is not in its slot any more may be in a bucket of its own. */
    SettleResult result(SettleProgress progress) {
        progress.settleDuplicates();
        Map<Integer, SlotAddress> elsewhere = new LinkedHashMap<>();
        for (int i = 0; i < progress.outcomes.length; i++) {
            SlotAddress own = progress.outcomes[i] == Outcome.GONE
                    ? SlotAddress.ofOwnBucket(progress.receipts.get(i).id())
                    : null;
            SlotClaim right = progress.claims.get(i);
            if (own != null && (right == null || !own.equals(right.address()))) {
                elsewhere.put(i, own);
            }
        }
        if (!elsewhere.isEmpty()) {
            Map<BucketId, Bucket> buckets = collection.read(
                    null, elsewhere.values().stream().map(SlotAddress::bucket).toList(), false);
            elsewhere.forEach((item, own) -> {
                Bucket bucket = buckets.get(own.bucket());
                if (bucket != null && bucket.live.get(0)) {
                    progress.outcomes[item] = Outcome.STALE;
                }
            });
        }
        return SettleResult.builder()
                .outcomes(List.of(progress.outcomes))
                .storageMillis(collection.link.timeAsSeen().nowMillis())
                .build();
    }
}
