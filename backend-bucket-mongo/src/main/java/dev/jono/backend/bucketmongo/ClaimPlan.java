package dev.jono.backend.bucketmongo;

import dev.jono.spi.ClaimRequest;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which messages of which buckets a claim or take tries to get.
 *
 * @param more whether more can be claimed after these, as far as the candidates show
 * @param isolated whether it is one message that must be handed out alone
 * @param enough whether the plan ends for another reason than the end of the candidates
 */
record ClaimPlan(List<Pick> picks, boolean more, boolean isolated, boolean enough) {
    /** A smaller demand is met exactly. A larger one ends before a bucket that it would have to split. */
    static final int SPLIT_LIMIT = 128;

    /** The most messages of one plan, whatever the demand: the rest is the next claim's, while these are handed out. */
    static final int MAX_PER_CLAIM = 512;

    /** Messages of one bucket. */
    record Pick(Bucket bucket, BitSet slots) {}

    List<BucketId> ids() {
        return picks.stream().map(pick -> pick.bucket().id).toList();
    }

    int messages() {
        return picks.stream().mapToInt(pick -> pick.slots().cardinality()).sum();
    }

    /**
     * Plans for the first messages of the candidates.
     *
     * @param skipped how many buckets to leave to other processes
     */
    static ClaimPlan of(
            BucketCache.Candidates candidates, int skipped, ClaimRequest request, boolean take, long nowMillis) {
        return new Planning(request, take, Math.max(nowMillis, candidates.nowMillis())).plan(candidates, skipped);
    }

    /** The plan of one request while it is made. Not thread-safe. */
    private static final class Planning {
        private final ClaimRequest request;
        private final boolean take;
        private final long nowMillis;
        private final List<Pick> picks = new ArrayList<>();
        private int left;

        Planning(ClaimRequest request, boolean take, long nowMillis) {
            this.request = request;
            this.take = take;
            this.nowMillis = nowMillis;
            this.left = request.max();
        }

        ClaimPlan plan(BucketCache.Candidates candidates, int skipped) {
            List<Bucket> buckets = candidates.buckets();
            for (int i = Math.min(skipped, Math.max(0, buckets.size() - 1)); i < buckets.size(); i++) {
                ClaimPlan complete = add(buckets.get(i));
                if (complete != null) {
                    return complete;
                }
            }
            return new ClaimPlan(picks, candidates.more() || skipped > 0, false, false);
        }

        /** Adds messages of a bucket; returns the plan if it is complete then. */
        private @Nullable ClaimPlan add(Bucket bucket) {
            BitSet slots = bucket.claimable(nowMillis);
            if (slots.isEmpty()) {
                return null;
            }
            int isolated = take ? -1 : firstToIsolate(bucket, slots);
            if (isolated >= 0 && picks.isEmpty() && isolated == slots.nextSetBit(0)) {
                BitSet one = new BitSet();
                one.set(isolated);
                return new ClaimPlan(List.of(new Pick(bucket, one)), true, true, true);
            }
            if (isolated >= 0) {
                slots.clear(isolated, slots.length());
            }
            boolean full = Overflow.isFull(bucket);
            if (full && !picks.isEmpty()) {
                return complete(); // the write of a full bucket may fail, and other buckets must not fail with it
            }
            int count = slots.cardinality();
            if (count > left) {
                if (!picks.isEmpty() && request.max() >= SPLIT_LIMIT) {
                    return complete();
                }
                truncate(slots, left);
            }
            if (count > 0) {
                picks.add(new Pick(bucket, slots));
                left -= Math.min(left, count);
            }
            boolean last = full || isolated >= 0 || left == 0 || request.max() - left >= MAX_PER_CLAIM;
            return last ? complete() : null;
        }

        private ClaimPlan complete() {
            return new ClaimPlan(picks, true, false, true);
        }

        /** The first message that must be handed out alone; -1 if there is none. */
        private int firstToIsolate(Bucket bucket, BitSet slots) {
            long most = (long) bucket.tries + bucket.mostTries + 1;
            if (most < Math.min(request.isolateTries(), request.isolateExpiredTries())) {
                return -1;
            }
            for (int i = slots.nextSetBit(0); i >= 0; i = slots.nextSetBit(i + 1)) {
                int slotTries = bucket.mostTries == 0 ? 0 : bucket.slot(i).tries();
                int tries = bucket.tries + slotTries + (bucket.uncounted(i) ? 1 : 0);
                if (tries >= request.isolateTries() || (bucket.expired(i) && tries >= request.isolateExpiredTries())) {
                    return i;
                }
            }
            return -1;
        }
    }

    private static void truncate(BitSet slots, int count) {
        int last = -1;
        for (int i = 0; i < count; i++) {
            last = slots.nextSetBit(last + 1);
        }
        slots.clear(last + 1, Math.max(last + 1, slots.length()));
    }
}
