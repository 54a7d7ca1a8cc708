package dev.jono.backend.bucketmongo;

import dev.jono.spi.ClaimRequest;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Chooses which messages of which buckets a claim goes for. */
final class ClaimPlanner {
    /** A demand below this is met exactly; a larger one ends where the next bucket would have to be split. */
    static final int SPLIT_LIMIT = 128;

    /** So many are enough, however many are wanted: what is left is the next claim's, while these are handed out. */
    static final int MAX_PER_CLAIM = 512;

    private ClaimPlanner() {}

    /** Messages of one bucket. */
    record Pick(Bucket bucket, BitSet slots) {}

    /**
     * What to go for.
     *
     * @param more whether something else can be claimed, as far as the row tells
     * @param isolated whether it is one message that is to be alone
     * @param enough whether it ends here for a reason, and not because the row does
     */
    record ClaimPlan(List<Pick> picks, boolean more, boolean isolated, boolean enough) {
        List<BucketCollection.BucketId> ids() {
            return picks.stream().map(pick -> pick.bucket().id).toList();
        }

        int messages() {
            return picks.stream().mapToInt(pick -> pick.slots().cardinality()).sum();
        }
    }

    /**
     * Chooses the first messages of a row.
     *
     * @param from how many buckets to leave to others
     */
    static ClaimPlan choose(BucketCache.Candidates row, int from, ClaimRequest request, boolean take, long nowMillis) {
        long now = Math.max(nowMillis, row.nowMillis());
        List<Pick> picks = new ArrayList<>();
        int left = request.max();
        List<Bucket> buckets = row.buckets();
        for (int i = Math.min(from, Math.max(0, buckets.size() - 1)); i < buckets.size(); i++) {
            Bucket bucket = buckets.get(i);
            BitSet slots = bucket.claimable(now);
            if (slots.isEmpty()) {
                continue;
            }
            int alone = take ? -1 : firstToIsolate(bucket, slots, request);
            if (alone >= 0 && picks.isEmpty() && alone == slots.nextSetBit(0)) {
                BitSet one = new BitSet();
                one.set(alone);
                return new ClaimPlan(List.of(new Pick(bucket, one)), true, true, true);
            }
            if (alone >= 0) {
                slots.clear(alone, slots.length());
            }
            boolean full = Overflow.isFull(bucket);
            if (full && !picks.isEmpty()) {
                return new ClaimPlan(picks, true, false, true); // its neighbours are not to fail with it
            }
            int count = slots.cardinality();
            if (count > left) {
                if (!picks.isEmpty() && request.max() >= SPLIT_LIMIT) {
                    return new ClaimPlan(picks, true, false, true);
                }
                truncate(slots, left);
            }
            if (count > 0) {
                picks.add(new Pick(bucket, slots));
                left -= Math.min(left, count);
            }
            if (full || alone >= 0 || left == 0 || request.max() - left >= MAX_PER_CLAIM) {
                return new ClaimPlan(picks, true, false, true);
            }
        }
        return new ClaimPlan(picks, row.more() || from > 0, false, false);
    }

    private static void truncate(BitSet slots, int count) {
        int at = -1;
        for (int i = 0; i < count; i++) {
            at = slots.nextSetBit(at + 1);
        }
        slots.clear(at + 1, Math.max(at + 1, slots.length()));
    }

    /** The first message that is to be alone; -1 if none is. */
    private static int firstToIsolate(Bucket bucket, BitSet slots, ClaimRequest request) {
        long most = (long) bucket.tries + bucket.mostTries + 1;
        if (most < Math.min(request.isolateTries(), request.isolateExpiredTries())) {
            return -1;
        }
        for (int i = slots.nextSetBit(0); i >= 0; i = slots.nextSetBit(i + 1)) {
            int tries =
                    bucket.tries + (bucket.mostTries == 0 ? 0 : bucket.slot(i).tries()) + (bucket.uncounted(i) ? 1 : 0);
            if (tries >= request.isolateTries() || (bucket.expired(i) && tries >= request.isolateExpiredTries())) {
                return i;
            }
        }
        return -1;
    }
}
