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
    private final BucketCollection place;

    Settlements(BucketCollection place) {
        this.place = place;
    }

    SettleResult ack(SettleRequest request) {
        return change("ack", request.receipts(), (draft, mine) -> draft.remove(mine.slots()));
    }

    SettleResult extend(ExtendRequest request) {
        return change("extend", request.receipts(), (draft, mine) -> {
            long end = place.link.time().latestMillis() + request.leaseMillis();
            mine.byToken().forEach((token, slots) -> draft.extend(token, slots, end));
        });
    }

    /** Needs no memory of the call: what a repetition finds gone, given back or extended is what it expects. */
    private SettleResult change(String step, List<Receipt> receipts, BiConsumer<BucketChange, OwnSlots> change) {
        if (receipts.isEmpty()) {
            return SettleResult.builder().build();
        }
        return place.call(step, true, () -> {
            SettleProgress work = new SettleProgress(receipts);
            BiPredicate<BucketChange, OwnSlots> always = (draft, mine) -> {
                change.accept(draft, mine);
                return true;
            };
            return settle(
                    step,
                    work,
                    forgotten -> {},
                    () -> changeIfPossible(step, work, always, drafts -> place.writeCounted(null, BucketCollection.models(drafts.keySet()))));
        });
    }

    /**
     * Settles while nobody else of this process changes these buckets. Where it fails behind something that was done, the
     * repetition goes on from there.
     *
     * @param steps gives all that is in the work an outcome; may find some of it done
     */
    SettleResult settle(String step, SettleProgress work, RepeatableCalls.Way<SettleResult> way, Runnable steps) {
        return place.backend.locks().with(work.buckets, () -> {
            try {
                work.findLostAnswer();
                steps.run();
                return result(work);
            } catch (MongoException | JonoException failure) {
                if (!work.maybeStored()) {
                    throw failure;
                }
                way.leave(() -> Optional.of(settle(step, work, way, steps)));
                throw MongoErrors.begun(step, place.queue, failure);
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
            String step, SettleProgress work, BiPredicate<BucketChange, OwnSlots> change, Function<Map<BucketChange, OwnSlots>, BucketCollection.WriteCounts> write) {
        BucketCache shelf = place.memory().buckets;
        while (true) {
            Map<BucketCollection.BucketId, Bucket> there = currentBuckets(work);
            Map<BucketCollection.BucketId, OwnSlots> ours = work.sort(there, latestMillis());
            if (ours.size() > 1 && extendEndingLeases(there, ours)) {
                continue;
            }
            Map<BucketChange, OwnSlots> drafts = new LinkedHashMap<>();
            for (Map.Entry<BucketCollection.BucketId, OwnSlots> some : ours.entrySet()) {
                BucketChange draft = place.change(Objects.requireNonNull(there.get(some.getKey())));
                if (!change.test(draft, some.getValue())) {
                    return false;
                }
                drafts.put(draft, some.getValue());
            }
            if (drafts.isEmpty()) {
                return true;
            }
            shelf.forget(work.buckets);
            BucketCollection.WriteCounts written = write.apply(drafts);
            if (written.all() == drafts.size()) {
                shelf.written(drafts.keySet());
            }
            recordOutcome(step, work, drafts, written);
        }
    }

    /**
     * Extends leases that end soon ({@link LeaseMargin}), and says whether there were any; others may have taken the messages
     * first.
     */
    boolean extendEndingLeases(Map<BucketCollection.BucketId, Bucket> there, Map<BucketCollection.BucketId, OwnSlots> ours) {
        long now = latestMillis();
        List<BucketChange> drafts = new ArrayList<>();
        ours.forEach((id, mine) -> {
            Bucket bucket = Objects.requireNonNull(there.get(id));
            if (LeaseMargin.endsSoon(mine.firstEndMillis(bucket), now)) {
                long end = Math.max(now + LeaseMargin.EXTENDED_MILLIS, mine.lastEndMillis(bucket));
                BucketChange draft = place.change(bucket);
                mine.byToken().forEach((token, slots) -> draft.extend(token, slots, end));
                drafts.add(draft);
            }
        });
        if (drafts.isEmpty()) {
            return false;
        }
        BucketCache shelf = place.memory().buckets;
        shelf.forget(drafts.stream().map(draft -> draft.before().id).toList());
        if (place.write(null, BucketCollection.models(drafts)) == drafts.size()) {
            shelf.written(drafts);
        }
        return true;
    }

    /** The server's clock, not earlier than it is. */
    long latestMillis() {
        return place.link.timeAsSeen().latestMillis();
    }

    /** Buckets of what has no outcome yet: as they are known, where they hold all that is looked for; else as they are. */
    private Map<BucketCollection.BucketId, Bucket> currentBuckets(SettleProgress work) {
        BucketCache shelf = place.memory().buckets;
        Set<BucketCollection.BucketId> open = work.unsettledBuckets();
        Map<BucketCollection.BucketId, Bucket> known = new HashMap<>();
        for (BucketCollection.BucketId id : open) {
            Bucket bucket = shelf.get(id);
            if (bucket != null) {
                known.put(id, bucket);
            }
        }
        known.keySet().removeAll(work.outdated(known));
        if (known.size() < open.size()) {
            List<BucketCollection.BucketId> unknown =
                    open.stream().filter(id -> !known.containsKey(id)).toList();
            Map<BucketCollection.BucketId, Bucket> read = place.read(null, unknown, false);
            read.values().forEach(shelf::put);
            known.putAll(read);
        }
        return known;
    }

    /**
     * One command that ends leases and deletes nothing; if its answer is lost, the work knows how to find out what became
     * of it.
     */
    BucketCollection.WriteCounts writeRepeatable(String step, SettleProgress work, Map<BucketChange, OwnSlots> drafts) {
        List<WriteModel<RawBsonDocument>> models = BucketCollection.models(drafts.keySet());
        return new RepeatableWrite<>(place.link, step, place.queue, session -> place.writeCounted(session, models))
                .send(again -> work.answerLost(() -> again.get()
                        .ifPresentOrElse(
                                written -> recordOutcome(step, work, drafts, written), () -> drafts.forEach(work::maybeDone))));
    }

    /** Notes what became of some changes. */
    void recordOutcome(String step, SettleProgress work, Map<BucketChange, OwnSlots> drafts, BucketCollection.WriteCounts written) {
        Map<BucketChange, OwnSlots> deletions = new LinkedHashMap<>();
        Map<BucketChange, OwnSlots> updates = new LinkedHashMap<>();
        drafts.forEach((draft, mine) -> (draft.deletes() ? deletions : updates).put(draft, mine));
        recordOutcomeOfKind(step, work, deletions, written.deletions());
        recordOutcomeOfKind(step, work, updates, written.all() - written.deletions());
    }

    /** Finds out which changes took place: by the buckets, and by the number where others may have taken the messages since. */
    private void recordOutcomeOfKind(String step, SettleProgress work, Map<BucketChange, OwnSlots> drafts, long number) {
        if (number == drafts.size()) {
            drafts.values().forEach(work::done);
            return;
        }
        if (number == 0) {
            return;
        }
        drafts.forEach(work::maybeDone); // until it is known which
        List<BucketCollection.BucketId> ids = drafts.keySet().stream().map(d -> d.before().id).toList();
        Map<BucketCollection.BucketId, Bucket> now = place.read(null, ids, false);
        now.values().forEach(place.memory().buckets::put);
        long nowMillis = latestMillis();
        List<OwnSlots> done = new ArrayList<>();
        List<OwnSlots> either = new ArrayList<>();
        drafts.forEach((draft, mine) -> {
            Bucket bucket = now.get(draft.before().id);
            if (bucket != null && bucket.version == draft.version()) {
                done.add(mine);
            } else if (mine.hasEndedIn(bucket, draft)) {
                either.add(mine);
            }
        });
        long left = number - done.size();
        if (left > 0 && left < either.size()) {
            // While a lease lasts, nobody but its holder can have ended it.
            drafts.forEach((draft, mine) -> {
                if (mine.firstEndMillis(draft.before()) <= nowMillis) {
                    either.remove(mine);
                }
            });
            if (left != either.size()) {
                throw MongoErrors.untold(step, place.queue);
            }
        }
        if (left > 0) {
            done.addAll(either);
        }
        drafts.values().forEach(mine -> {
            if (done.contains(mine)) {
                work.done(mine);
            } else {
                work.notDone(mine);
            }
        });
    }

    /** What is not in its slot any more may be in a bucket of its own. */
    SettleResult result(SettleProgress work) {
        work.settleDuplicates();
        Map<Integer, SlotAddress> elsewhere = new LinkedHashMap<>();
        for (int i = 0; i < work.outcomes.length; i++) {
            SlotAddress own = work.outcomes[i] == Outcome.GONE
                    ? SlotAddress.ofOwnBucket(work.receipts.get(i).id())
                    : null;
            SlotAddress.SlotClaim right = work.claims.get(i);
            if (own != null && (right == null || !own.equals(right.spot()))) {
                elsewhere.put(i, own);
            }
        }
        if (!elsewhere.isEmpty()) {
            Map<BucketCollection.BucketId, Bucket> there = place.read(
                    null, elsewhere.values().stream().map(SlotAddress::bucket).toList(), false);
            elsewhere.forEach((item, own) -> {
                Bucket bucket = there.get(own.bucket());
                if (bucket != null && bucket.live.get(0)) {
                    work.outcomes[item] = Outcome.STALE;
                }
            });
        }
        return SettleResult.builder()
                .outcomes(List.of(work.outcomes))
                .storageMillis(place.link.timeAsSeen().nowMillis())
                .build();
    }
}
