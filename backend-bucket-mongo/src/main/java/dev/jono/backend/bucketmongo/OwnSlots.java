package dev.jono.backend.bucketmongo;

import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The reservations of one bucket that are still their holder's. Not thread-safe. */
final class OwnSlots {
    private final Map<Long, BitSet> byToken = new LinkedHashMap<>();
    private final Map<Integer, Integer> itemBySlot = new HashMap<>();

    /** Returns which item of the request is the same reservation; null if none is. */
    @Nullable Integer add(int item, SlotClaim claim) {
        byToken.computeIfAbsent(claim.token(), token -> new BitSet())
                .set(claim.address().slot());
        return itemBySlot.putIfAbsent(claim.address().slot(), item);
    }

    /** Slots, by their claim. */
    Map<Long, BitSet> byToken() {
        return byToken;
    }

    /** The places in the request, by slot. */
    Map<Integer, Integer> itemBySlot() {
        return itemBySlot;
    }

    BitSet slots() {
        BitSet all = new BitSet();
        byToken.values().forEach(all::or);
        return all;
    }

    /** When the first of the leases ends. */
    long firstEndMillis(Bucket bucket) {
        return ends(bucket).min().orElse(0);
    }

    long lastEndMillis(Bucket bucket) {
        return ends(bucket).max().orElse(0);
    }

    private LongStream ends(Bucket bucket) {
        return bucket.groups.stream()
                .filter(group -> {
                    BitSet slots = byToken.get(group.token());
                    return slots != null && slots.intersects(group.slots());
                })
                .mapToLong(LeaseGroup::endMillis);
    }

    /** Whether they have ended as a change was to end them: the messages are gone, or there without their holder. */
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
