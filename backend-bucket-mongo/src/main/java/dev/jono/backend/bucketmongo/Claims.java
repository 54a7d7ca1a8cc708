package dev.jono.backend.bucketmongo;

import dev.jono.backend.bucketmongo.ClaimPlanner.ClaimPlan;
import dev.jono.backend.bucketmongo.ClaimPlanner.Pick;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.CallTokens;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Claims: the first buckets of the row get a group that names the call, on the condition that they are as they are known.
 * Others may have changed some of them; what is got is where the group is.
 */
final class Claims {
    private static final int ATTEMPTS = 50;
    private static final int WIDEST = 16;

    private final BucketCollection collection;
    private final ClaimableSearch search;
    private final Takes takes;
    private final Overflow crowding;

    /** Among how many buckets at the head a claim begins: 1 while nobody is in the way. */
    private volatile int width = 1;

    Claims(BucketCollection collection) {
        this.collection = collection;
        this.search = new ClaimableSearch(collection);
        this.takes = new Takes(collection, this);
        this.crowding = new Overflow(collection);
    }

    ClaimResult take(ClaimRequest request) {
        return collection.memory().takes.run(request.token(), way -> found("pop", request, true, way));
    }

    ClaimResult claim(ClaimRequest request) {
        return collection.memory().claims.run(request.token(), way -> found("reserve", request, false, way));
    }

    /** Messages that were got, whether there are more, and the server's clock. */
    record ClaimBatch(List<StoredMessage> messages, boolean more, long nowMillis) {
        ClaimResult result(long nextMillis) {
            return ClaimResult.builder()
                    .messages(messages)
                    .nextMillis(nextMillis)
                    .storageMillis(nowMillis)
                    .build();
        }
    }

    private ClaimResult found(String step, ClaimRequest request, boolean take, RepeatableCalls.Way<ClaimResult> way) {
        BucketCache cache = collection.memory().buckets;
        ClaimBatch batch;
        cache.claiming.lock();
        try {
            batch = collection.call(step, true, () -> found(cache, request, take, way));
        } finally {
            cache.claiming.unlock();
        }
        if (batch.more() || batch.messages().size() >= request.max()) {
            return batch.result(0);
        }
        return batch.result(nextMillis(step, batch));
    }

    /** Where the look fails and there are messages in hand, these are what counts: the next claim finds out. */
    private long nextMillis(String step, ClaimBatch batch) {
        try {
            return collection.call(step, false, () -> ClaimableSearch.nextMillis(collection));
        } catch (RuntimeException failure) {
            if (batch.messages().isEmpty()) {
                throw failure;
            }
            return 0;
        }
    }

    private ClaimBatch found(BucketCache cache, ClaimRequest request, boolean take, RepeatableCalls.Way<ClaimResult> way) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            ClaimPlan choice = plan(cache, request, take);
            if (choice.picks().isEmpty()) {
                break;
            }
            if (crowding.makeRoom(choice.picks().stream().map(Pick::bucket).toList())) {
                cache.resetCandidates();
                continue;
            }
            prefetch(cache, request, choice);
            ClaimBatch got = collection.backend.locks().with(choice.ids(), () -> {
                ClaimPlan now = refreshed(cache, choice);
                return now == null ? null : take ? takes.take(request, now, way) : claimPlanned(request, now, way);
            });
            if (got == null) {
                continue; // a call of this process was in the way
            }
            boolean lost = 2 * got.messages().size() < choice.messages();
            width = lost ? Math.min(WIDEST, 2 * width) : Math.max(1, width / 2);
            if (!got.messages().isEmpty()) {
                return got;
            }
        }
        return new ClaimBatch(List.of(), false, collection.nowMillis());
    }

    /** Where many are claimed at a time, the next buckets are read while these are written. */
    private void prefetch(BucketCache cache, ClaimRequest request, ClaimPlan choice) {
        if (choice.messages() >= ClaimPlanner.SPLIT_LIMIT && choice.more() && cache.needsPrefetch(choice.ids())) {
            // What is claimed now, and the one behind it, may be found once more.
            int known = choice.picks().size() + 1;
            int limit = search.atMost((long) known + search.bucketsFor(Math.min(request.max(), 2 * ClaimPlanner.MAX_PER_CLAIM)));
            long began = cache.beginSearch();
            cache.setPrefetch(collection.offload(() -> cache.endSearch(search.candidates(limit), began)));
        }
    }

    /** From what is known, if that is enough; else from a search. */
    private ClaimPlan plan(BucketCache cache, ClaimRequest request, boolean take) {
        cache.awaitPrefetch();
        BucketCache.Candidates candidates = cache.candidates();
        int from = width == 1 ? 0 : ThreadLocalRandom.current().nextInt(width);
        if (!candidates.buckets().isEmpty()) {
            ClaimPlan known = ClaimPlanner.choose(candidates, from, request, take, collection.nowMillis());
            if (known.enough() && !known.picks().isEmpty()) {
                return known;
            }
        }
        int limit = search.bucketsFor(Math.min(request.max(), 2 * ClaimPlanner.MAX_PER_CLAIM));
        while (true) {
            long began = cache.beginSearch();
            BucketCache.Candidates read = search.candidates(limit);
            boolean swept = deleteEmpty(read);
            BucketCache.Candidates found = cache.endSearch(read, began);
            ClaimPlan choice = ClaimPlanner.choose(found, from, request, take, collection.nowMillis());
            if (choice.picks().isEmpty() && from > 0) {
                choice = ClaimPlanner.choose(found, 0, request, take, collection.nowMillis());
            }
            int wider =
                    search.atMost(4L * Math.max(limit, search.bucketsFor(Math.min(request.max(), 2 * ClaimPlanner.MAX_PER_CLAIM))));
            if (choice.enough() || !(read.more() || swept) || (wider <= limit && !swept)) {
                return choice;
            }
            limit = wider;
        }
    }

    /** Deletes buckets that keuss has emptied; says whether it has. */
    private boolean deleteEmpty(BucketCache.Candidates candidates) {
        boolean any = false;
        for (Bucket bucket : candidates.buckets()) {
            if (bucket.live.isEmpty()) {
                any |= collection.writeOne(null, collection.change(bucket).model());
            }
        }
        return any;
    }

    /** The choice with the buckets as they are known now that they are locked; null if it cannot be made so any more. */
    private @Nullable ClaimPlan refreshed(BucketCache cache, ClaimPlan choice) {
        List<Pick> picks = new ArrayList<>();
        for (Pick pick : choice.picks()) {
            Bucket now = cache.get(pick.bucket().id);
            if (now == null || now.version == pick.bucket().version) {
                picks.add(pick);
                continue;
            }
            BitSet missing = (BitSet) pick.slots().clone();
            missing.andNot(now.claimable(collection.nowMillis()));
            if (!missing.isEmpty() || !now.hasMessages()) {
                cache.resetCandidates();
                return null;
            }
            picks.add(new Pick(now, pick.slots()));
        }
        return new ClaimPlan(picks, choice.more(), choice.isolated(), choice.enough());
    }

    private ClaimBatch claimPlanned(ClaimRequest request, ClaimPlan choice, RepeatableCalls.Way<ClaimResult> way) {
        return mark(request, choice, request.leaseMillis(), way, new AfterMarking() {
            @Override
            public ClaimBatch apply(List<MarkedSlots> got, Map<BucketCollection.BucketId, Bucket> buckets) {
                return batch(request, choice, got);
            }

            @Override
            public boolean needsNoAnswer() {
                return true;
            }
        });
    }

    /**
     * Slots that a call has got.
     *
     * @param endMillis when the lease ends
     */
    record MarkedSlots(Pick pick, long endMillis) {}

    /** What is to be done with what was got, and the buckets as they are then. */
    interface AfterMarking extends BiFunction<List<MarkedSlots>, Map<BucketCollection.BucketId, Bucket>, ClaimBatch> {
        /** Whether it needs nothing of the storage, and can be done while the marking is under way. */
        default boolean needsNoAnswer() {
            return false;
        }
    }

    /** Marks what was chosen with the call's token. */
    ClaimBatch mark(ClaimRequest request, ClaimPlan choice, long leaseMillis, RepeatableCalls.Way<ClaimResult> way, AfterMarking then) {
        BucketCache cache = collection.memory().buckets;
        long now = collection.nowMillis();
        long end = collection.link.time().latestMillis() + leaseMillis;
        long token = CallTokens.hash(request.token());
        Map<BucketCollection.BucketId, BucketChange> changes = new LinkedHashMap<>();
        for (Pick pick : choice.picks()) {
            BucketChange change = collection.change(pick.bucket());
            change.claim(token, pick.slots(), now, end);
            changes.put(pick.bucket().id, change);
        }
        // If the answer is lost: where the group is, the messages are ours.
        way.leave(() -> {
            ClaimBatch late = collection.call("reserve", true, () -> marked(choice, token, then));
            return late.messages().isEmpty() ? Optional.empty() : Optional.of(late.result(0));
        });
        cache.forget(choice.ids());
        List<MarkedSlots> expected =
                choice.picks().stream().map(pick -> new MarkedSlots(pick, end)).toList();
        OffloadedTask<ClaimBatch> meanwhile = then.needsNoAnswer() && choice.messages() >= ClaimPlanner.SPLIT_LIMIT
                ? collection.offload(() -> then.apply(expected, Map.of()))
                : null;
        boolean all = collection.write(null, BucketCollection.models(changes.values())) == changes.size();
        return collection.afterWrite("reserve", () -> {
            if (!all) {
                return marked(choice, token, then);
            }
            Map<BucketCollection.BucketId, Bucket> after = new HashMap<>();
            changes.forEach((id, change) -> after.put(id, change.after()));
            after.values().forEach(cache::put);
            return meanwhile == null ? then.apply(expected, after) : meanwhile.join();
        });
    }

    /** Those of the choice that carry the token. */
    private ClaimBatch marked(ClaimPlan choice, long token, AfterMarking then) {
        Map<BucketCollection.BucketId, Bucket> now = collection.read(null, choice.ids(), false);
        List<MarkedSlots> got = new ArrayList<>();
        for (Pick pick : choice.picks()) {
            Bucket bucket = now.get(pick.bucket().id);
            if (bucket == null) {
                continue;
            }
            collection.memory().buckets.put(bucket);
            for (LeaseGroup group : bucket.groups) {
                if (group.token() == token && group.slots().intersects(pick.slots())) {
                    BitSet slots = (BitSet) group.slots().clone();
                    slots.and(pick.slots());
                    got.add(new MarkedSlots(new Pick(pick.bucket(), slots), group.endMillis()));
                }
            }
        }
        return then.apply(got, now);
    }

    private ClaimBatch batch(ClaimRequest request, ClaimPlan choice, List<MarkedSlots> got) {
        String claim = SlotAddress.claimText(CallTokens.hash(request.token()));
        List<StoredMessage> messages = new ArrayList<>(choice.messages());
        long now = collection.nowMillis();
        for (MarkedSlots some : got) {
            now = some.endMillis() - request.leaseMillis();
            Bucket from = some.pick().bucket();
            BitSet slots = some.pick().slots();
            for (int i = slots.nextSetBit(0); i >= 0; i = slots.nextSetBit(i + 1)) {
                Slots.SlotContent slot = from.slot(i);
                String id = from.idOf(i, slot);
                boolean home = slot.firstId() == null;
                messages.add(from.unheldMessage(i, slot)
                        .id(id)
                        .leaseEndMillis(some.endMillis())
                        .state(StoredMessage.State.RESERVED)
                        .expired(from.expired(i))
                        .isolated(choice.isolated())
                        .receipt(SlotAddress.receipt(id, home, claim))
                        .build());
            }
        }
        return new ClaimBatch(messages, choice.more() || messages.size() < choice.messages(), now);
    }
}
