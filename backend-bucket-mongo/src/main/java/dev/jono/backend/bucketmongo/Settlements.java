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
 * Acks and extends reservations, and holds the steps that releases and moves share with them. Called by {@link BucketQueue} on
 * threads that may block. A bucket is changed on the condition that it is as cached; if another process has changed it, it is
 * read and the step is repeated. No reservation that its caller does not hold any more may be changed.
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

    /** Needs no memory of the call: a repetition that finds the step done returns the same outcomes. */
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
                    () -> changeIfPossible(
                            step,
                            progress,
                            always,
                            changes -> collection.writeCounted(null, BucketCollection.models(changes.keySet()))));
        });
    }

    /**
     * Runs the steps of a settling request with the locks of its buckets. If a step fails after another has stored something,
     * the outcome is unknown, and a repetition of the call continues where this one failed.
     *
     * @param steps give an outcome to every item that has none; when they begin, some items may be settled
     */
    SettleResult settle(
            String step, SettleProgress progress, RepeatableCalls.Running<SettleResult> running, Runnable steps) {
        return collection.context.locks().with(progress.buckets, () -> {
            try {
                progress.findLostAnswer();
                steps.run();
                return result(progress);
            } catch (MongoException | JonoException failure) {
                if (!progress.maybeStored()) {
                    throw failure;
                }
                running.onRepeat(() -> Optional.of(settle(step, progress, running, steps)));
                throw MongoErrors.outcomeUnknown(step, collection.queueName, failure);
            }
        });
    }

    /**
     * Changes the buckets of all unsettled items, if the edit accepts each of them; returns whether it did. Items that were
     * settled before a refusal have their outcome.
     *
     * @param edit applies the request to one bucket, or refuses it by returning false
     * @param write sends the changes
     */
    boolean changeIfPossible(
            String step,
            SettleProgress progress,
            BiPredicate<BucketChange, OwnSlots> edit,
            Function<Map<BucketChange, OwnSlots>, BucketCollection.WriteCounts> write) {
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
     * Extends leases that end soon, see {@link LeaseMargin}; returns whether there were any. The bucket must be read again
     * then: another process may have claimed the messages first.
     */
    boolean extendEndingLeases(Map<BucketId, Bucket> buckets, Map<BucketId, OwnSlots> ownByBucket) {
        long now = latestMillis();
        List<BucketChange> changes = new ArrayList<>();
        ownByBucket.forEach((id, own) -> {
            Bucket bucket = Objects.requireNonNull(buckets.get(id));
            if (own.anyLeaseEnds(bucket, end -> LeaseMargin.endsSoon(end, now))) {
                long extended = Math.max(now + LeaseMargin.EXTENDED_MILLIS, own.lastEndMillis(bucket));
                BucketChange change = collection.change(bucket);
                own.byToken().forEach((token, slots) -> change.extend(token, slots, extended));
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

    /** An upper bound of the server's present time. */
    long latestMillis() {
        return collection.link.lastKnownTime().latestMillis();
    }

    /** The buckets of the unsettled items: cached ones that show all their leases, and the others as stored now. */
    private Map<BucketId, Bucket> currentBuckets(SettleProgress progress) {
        BucketCache cache = collection.memory().buckets;
        Set<BucketId> unsettled = progress.unsettledBuckets();
        Map<BucketId, Bucket> buckets = new HashMap<>();
        for (BucketId id : unsettled) {
            Bucket bucket = cache.get(id);
            if (bucket != null) {
                buckets.put(id, bucket);
            }
        }
        buckets.keySet().removeAll(progress.outdated(buckets));
        if (buckets.size() < unsettled.size()) {
            List<BucketId> missing =
                    unsettled.stream().filter(id -> !buckets.containsKey(id)).toList();
            Map<BucketId, Bucket> read = collection.read(null, missing, false);
            read.values().forEach(cache::put);
            buckets.putAll(read);
        }
        return buckets;
    }

    /** Sends one command that ends leases and deletes nothing. If its answer is lost, the progress can ask for it later. */
    BucketCollection.WriteCounts writeRepeatable(
            String step, SettleProgress progress, Map<BucketChange, OwnSlots> changes) {
        List<WriteModel<RawBsonDocument>> models = BucketCollection.models(changes.keySet());
        return new RepeatableWrite<>(
                        collection.link,
                        step,
                        collection.queueName,
                        session -> collection.writeCounted(session, models))
                .send(again -> progress.answerLost(() -> again.get()
                        .ifPresentOrElse(
                                written -> recordOutcome(step, progress, changes, written),
                                () -> changes.forEach(progress::maybeDone))));
    }

    /** Records which of the sent changes took effect. */
    void recordOutcome(
            String step,
            SettleProgress progress,
            Map<BucketChange, OwnSlots> changes,
            BucketCollection.WriteCounts written) {
        if (written.all() == changes.size()) {
            changes.values().forEach(progress::done);
            return;
        }
        Map<BucketChange, OwnSlots> deletions = new LinkedHashMap<>();
        Map<BucketChange, OwnSlots> updates = new LinkedHashMap<>();
        changes.forEach((change, own) -> (change.deletes() ? deletions : updates).put(change, own));
        recordOutcomeOfKind(step, progress, deletions, written.deletions());
        recordOutcomeOfKind(step, progress, updates, written.all() - written.deletions());
    }

    /** Finds out which changes took effect: from the buckets, and from their number where other processes changed them since. */
    private void recordOutcomeOfKind(
            String step, SettleProgress progress, Map<BucketChange, OwnSlots> changes, long number) {
        if (number == changes.size()) {
            changes.values().forEach(progress::done);
            return;
        }
        if (number == 0) {
            return;
        }
        changes.forEach(progress::maybeDone); // until the buckets are read
        List<BucketId> ids =
                changes.keySet().stream().map(change -> change.before().id).toList();
        Map<BucketId, Bucket> buckets = collection.read(null, ids, false);
        buckets.values().forEach(collection.memory().buckets::put);
        long nowMillis = latestMillis();
        List<OwnSlots> done = new ArrayList<>();
        List<OwnSlots> possiblyDone = new ArrayList<>();
        changes.forEach((change, own) -> {
            Bucket bucket = buckets.get(change.before().id);
            if (bucket != null && bucket.version == change.version()) {
                done.add(own);
            } else if (own.hasEndedIn(bucket, change)) {
                possiblyDone.add(own);
            }
        });
        long left = number - done.size();
        if (left > 0 && left < possiblyDone.size()) {
            // While a lease lasts, only its holder can have ended it.
            changes.forEach((change, own) -> {
                if (own.anyLeaseEnds(change.before(), end -> end <= nowMillis)) {
                    possiblyDone.remove(own);
                }
            });
            if (left != possiblyDone.size()) {
                throw MongoErrors.outcomeUnknown(step, collection.queueName);
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

    /** The outcomes. A message that is not in its slot may be in its own bucket: then the receipt is stale, not gone. */
    SettleResult result(SettleProgress progress) {
        progress.settleDuplicates();
        Map<Integer, SlotAddress> ownAddresses = new LinkedHashMap<>();
        for (int i = 0; i < progress.outcomes.length; i++) {
            SlotAddress own = progress.outcomes[i] == Outcome.GONE
                    ? SlotAddress.ofOwnBucket(progress.receipts.get(i).id())
                    : null;
            SlotClaim claim = progress.claims.get(i);
            if (own != null && (claim == null || !own.equals(claim.address()))) {
                ownAddresses.put(i, own);
            }
        }
        if (!ownAddresses.isEmpty()) {
            Map<BucketId, Bucket> buckets = collection.read(
                    null,
                    ownAddresses.values().stream().map(SlotAddress::bucket).toList(),
                    false);
            ownAddresses.forEach((item, own) -> {
                Bucket bucket = buckets.get(own.bucket());
                if (bucket != null && bucket.live.get(0)) {
                    progress.outcomes[item] = Outcome.STALE;
                }
            });
        }
        return SettleResult.builder()
                .outcomes(List.of(progress.outcomes))
                .storageMillis(collection.link.lastKnownTime().nowMillis())
                .build();
    }
}
