package dev.jono.backend.bucketmongo;

import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The slots of one bucket that the caller of a settling request still holds. Not thread-safe. */
final class OwnSlots {
    private final Map<Long, BitSet> byToken = new LinkedHashMap<>();
    private final Map<Integer, Integer> itemBySlot = new HashMap<>();

    /** Adds a slot; returns the item of the request that named it before, null if none did. */
    @Nullable Integer add(int item, SlotClaim claim) {
        byToken.computeIfAbsent(claim.token(), token -> new BitSet())
                .set(claim.address().slot());
        return itemBySlot.putIfAbsent(claim.address().slot(), item);
    }

    /** The held slots by the token of their claim. */
    Map<Long, BitSet> byToken() {
        return byToken;
    }

    /** The index in the request by slot. */
    Map<Integer, Integer> itemBySlot() {
        return itemBySlot;
    }

    BitSet slots() {
        BitSet all = new BitSet();
        byToken.values().forEach(all::or);
        return all;
    }

    /** Whether one of the leases has such an end, in milliseconds since the epoch. */
    boolean anyLeaseEnds(Bucket bucket, LongPredicate end) {
        // Checks the ends first, because a bucket can have many groups, whose slots are costly to compare.
        for (LeaseGroup group : bucket.groups) {
            if (end.test(group.endMillis()) && isIn(group)) {
                return true;
            }
        }
        return false;
    }

    /** The latest end of the leases; 0 if there are none. */
    long lastEndMillis(Bucket bucket) {
        long last = 0;
        for (LeaseGroup group : bucket.groups) {
            if (group.endMillis() > last && isIn(group)) {
                last = group.endMillis();
            }
        }
        return last;
    }

    private boolean isIn(LeaseGroup group) {
        BitSet slots = byToken.get(group.token());
        return slots != null && slots.intersects(group.slots());
    }

    /** Whether the bucket shows what the change was to do: each message is removed, or is there and not held by this caller. */
    boolean hasEndedIn(@Nullable Bucket bucket, BucketChange change) {
        return byToken.entrySet().stream()
                .allMatch(claim ->
                        claim.getValue().stream().allMatch(slot -> hasEnded(bucket, claim.getKey(), slot, change)));
    }

    private static boolean hasEnded(@Nullable Bucket bucket, long token, int slot, BucketChange change) {
        if (bucket == null || !bucket.live.get(slot)) {
            return !change.live().get(slot);
        }
        return change.live().get(slot) && bucket.group(token, slot) == null;
    }
}
