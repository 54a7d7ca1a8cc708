package dev.jono.backend.bucketmongo;

import dev.jono.backend.bucketmongo.ClaimPlan.Pick;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.support.mongo.CallTokens;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Marks planned messages as held: adds a lease group with the call's token to each bucket, on the condition that the bucket is
 * unchanged. Other processes may have changed some of the buckets; the call has got the messages whose group carries its token.
 * Called by claims and takes with the locks of the buckets.
 */
final class ClaimMarking {
    private final BucketCollection collection;

    ClaimMarking(BucketCollection collection) {
        this.collection = collection;
    }

    /**
     * Messages that a call has marked.
     *
     * @param endMillis the end of their lease
     */
    record MarkedSlots(Pick pick, long endMillis) {}

    /** What a call does with the marked messages. */
    interface AfterMarking {
        /**
         * Returns the result of the call.
         *
         * @param buckets the buckets after the marking; may be empty if {@link #needsNoStorage}
         */
        ClaimBatch apply(List<MarkedSlots> marked, Map<BucketId, Bucket> buckets);

        /** Whether this can run while the marking is in flight. */
        default boolean needsNoStorage() {
            return false;
        }

        /** Whether it removes the messages. */
        default boolean takes() {
            return false;
        }
    }

    /** Marks the planned messages, and applies the next step to those that were marked. */
    ClaimBatch mark(
            ClaimRequest request,
            ClaimPlan plan,
            long leaseMillis,
            RepeatableCalls.Running<ClaimResult> running,
            AfterMarking next) {
        BucketCache cache = collection.memory().buckets;
        long now = collection.nowMillis();
        long end = collection.link.time().latestMillis() + leaseMillis;
        long token = CallTokens.hash(request.token());
        Map<BucketId, BucketChange> changes = new LinkedHashMap<>();
        for (Pick pick : plan.picks()) {
            BucketChange change = collection.change(pick.bucket());
            change.claim(new LeaseGroup(token, end, pick.slots(), next.takes()), now);
            changes.put(pick.bucket().id, change);
        }
        // If the answer is lost, a repetition finds the marked messages by the token.
        running.onRepeat(() -> {
            ClaimBatch late = collection.call("reserve", true, () -> findMarked(plan, token, next));
            return late.messages().isEmpty() ? Optional.empty() : Optional.of(late.result(0));
        });
        cache.forget(plan.ids());
        List<MarkedSlots> expected =
                plan.picks().stream().map(pick -> new MarkedSlots(pick, end)).toList();
        OffloadedTask<ClaimBatch> offloaded = next.needsNoStorage() && plan.messages() >= ClaimPlan.SPLIT_LIMIT
                ? collection.offload(() -> next.apply(expected, Map.of()))
                : null;
        boolean all = collection.write(null, BucketCollection.models(changes.values())) == changes.size();
        return collection.afterChange("reserve", () -> {
            if (!all) {
                return findMarked(plan, token, next);
            }
            Map<BucketId, Bucket> after = new HashMap<>();
            changes.forEach((id, change) -> after.put(id, change.after()));
            after.values().forEach(cache::put);
            return offloaded == null ? next.apply(expected, after) : offloaded.join();
        });
    }

    /** Reads which of the planned messages carry the token. */
    private ClaimBatch findMarked(ClaimPlan plan, long token, AfterMarking next) {
        Map<BucketId, Bucket> buckets = collection.read(null, plan.ids(), false);
        List<MarkedSlots> marked = new ArrayList<>();
        for (Pick pick : plan.picks()) {
            Bucket bucket = buckets.get(pick.bucket().id);
            if (bucket == null) {
                continue;
            }
            collection.memory().buckets.put(bucket);
            for (LeaseGroup group : bucket.groups) {
                if (group.token() == token && group.slots().intersects(pick.slots())) {
                    BitSet slots = (BitSet) group.slots().clone();
                    slots.and(pick.slots());
                    marked.add(new MarkedSlots(new Pick(pick.bucket(), slots), group.endMillis()));
                }
            }
        }
        return next.apply(marked, buckets);
    }
}
