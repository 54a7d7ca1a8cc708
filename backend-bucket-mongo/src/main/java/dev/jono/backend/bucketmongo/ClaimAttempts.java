package dev.jono.backend.bucketmongo;

import dev.jono.backend.bucketmongo.BucketCache.Candidates;
import dev.jono.backend.bucketmongo.ClaimPlan.Pick;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Plans a claim or take and runs it; repeats that if other processes have changed the planned buckets. Called by {@link Claims}
 * and {@link Takes} on threads that may block; one call per queue and process runs at a time. The locks are those of this
 * process: only the conditional writes decide which process gets a message.
 */
final class ClaimAttempts {
    private static final int MAX_ATTEMPTS = 50;
    private static final int MAX_SPREAD = 16;

    private final BucketCollection collection;
    private final ClaimableSearch search;
    private final Overflow overflow;

    /** Among how many first buckets a plan begins at random: 1 while no other process claims the same ones. */
    private volatile int spread = 1;

    ClaimAttempts(BucketCollection collection) {
        this.collection = collection;
        this.search = new ClaimableSearch(collection);
        this.overflow = new Overflow(collection);
    }

    /**
     * Runs one request.
     *
     * @param step the operation, for messages
     * @param take whether the messages are taken and not leased
     * @param action gets the planned messages; runs with the locks of their buckets, perhaps several times
     */
    ClaimResult run(String step, ClaimRequest request, boolean take, Function<ClaimPlan, ClaimBatch> action) {
        BucketCache cache = collection.memory().buckets;
        ClaimBatch batch;
        cache.claiming.lock();
        try {
            batch = collection.call(step, true, () -> attempt(cache, request, take, action));
        } finally {
            cache.claiming.unlock();
        }
        if (batch.more() || batch.messages().size() >= request.max()) {
            return batch.result(0);
        }
        return batch.result(nextMillis(step, batch));
    }

    /** The time to the next due message. If this read fails, messages that were got are returned all the same. */
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

    private ClaimBatch attempt(
            BucketCache cache, ClaimRequest request, boolean take, Function<ClaimPlan, ClaimBatch> action) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            ClaimPlan plan = plan(cache, request, take);
            if (plan.picks().isEmpty()) {
                break;
            }
            if (overflow.makeRoom(plan.picks().stream().map(Pick::bucket).toList())) {
                cache.resetCandidates();
                continue;
            }
            prefetch(cache, request, plan);
            ClaimBatch got = collection.context.locks().with(plan.ids(), () -> {
                ClaimPlan refreshed = refreshed(cache, plan);
                return refreshed == null ? null : action.apply(refreshed);
            });
            if (got == null) {
                continue; // another call of this process changed the buckets
            }
            boolean contended = 2 * got.messages().size() < plan.messages();
            spread = contended ? Math.min(MAX_SPREAD, 2 * spread) : Math.max(1, spread / 2);
            if (!got.messages().isEmpty()) {
                return got;
            }
        }
        return new ClaimBatch(List.of(), false, collection.nowMillis());
    }

    /** For a large claim, another thread reads the next buckets while this one writes. */
    private void prefetch(BucketCache cache, ClaimRequest request, ClaimPlan plan) {
        if (plan.messages() >= ClaimPlan.SPLIT_LIMIT && plan.more() && cache.needsPrefetch(plan.ids())) {
            // The search may find the planned buckets, and the next one, once more.
            int known = plan.picks().size() + 1;
            int limit = search.atMost((long) known + bucketsFor(request));
            long begunAt = cache.beginSearch();
            cache.setPrefetch(collection.offload(() -> cache.endSearch(search.candidates(limit), begunAt)));
        }
    }

    private int bucketsFor(ClaimRequest request) {
        return search.bucketsFor(Math.min(request.max(), 2 * ClaimPlan.MAX_PER_CLAIM));
    }

    /** Plans with the cached candidates if they are enough, otherwise with those of a search. */
    private ClaimPlan plan(BucketCache cache, ClaimRequest request, boolean take) {
        cache.awaitPrefetch();
        Candidates cached = cache.candidates();
        int skipped = spread == 1 ? 0 : ThreadLocalRandom.current().nextInt(spread);
        if (!cached.buckets().isEmpty()) {
            ClaimPlan plan = ClaimPlan.of(cached, skipped, request, take, collection.nowMillis());
            if (plan.enough() && !plan.picks().isEmpty()) {
                return plan;
            }
        }
        return planWithSearch(cache, request, take, skipped);
    }

    private ClaimPlan planWithSearch(BucketCache cache, ClaimRequest request, boolean take, int skipped) {
        int limit = bucketsFor(request);
        while (true) {
            long begunAt = cache.beginSearch();
            Candidates read = search.candidates(limit);
            boolean deleted = deleteEmpty(read);
            Candidates found = cache.endSearch(read, begunAt);
            ClaimPlan plan = ClaimPlan.of(found, skipped, request, take, collection.nowMillis());
            if (plan.picks().isEmpty() && skipped > 0) {
                plan = ClaimPlan.of(found, 0, request, take, collection.nowMillis());
            }
            int wider = search.atMost(4L * Math.max(limit, bucketsFor(request)));
            if (plan.enough() || !(read.more() || deleted) || (wider <= limit && !deleted)) {
                return plan;
            }
            limit = wider;
        }
    }

    /** Deletes buckets that keuss has emptied; returns whether there were any. */
    private boolean deleteEmpty(Candidates candidates) {
        boolean any = false;
        for (Bucket bucket : candidates.buckets()) {
            if (bucket.live.isEmpty()) {
                any |= collection.writeOne(null, collection.change(bucket).model());
            }
        }
        return any;
    }

    /** The plan over the buckets as cached now that they are locked; null if some messages cannot be claimed any more. */
    private @Nullable ClaimPlan refreshed(BucketCache cache, ClaimPlan plan) {
        List<Pick> picks = new ArrayList<>();
        for (Pick pick : plan.picks()) {
            Bucket cached = cache.get(pick.bucket().id);
            if (cached == null || cached.version == pick.bucket().version) {
                picks.add(pick);
                continue;
            }
            BitSet missing = (BitSet) pick.slots().clone();
            missing.andNot(cached.claimable(collection.nowMillis()));
            if (!missing.isEmpty() || !cached.hasMessages()) {
                cache.resetCandidates();
                return null;
            }
            picks.add(new Pick(cached, pick.slots()));
        }
        return new ClaimPlan(picks, plan.more(), plan.isolated(), plan.enough());
    }
}
