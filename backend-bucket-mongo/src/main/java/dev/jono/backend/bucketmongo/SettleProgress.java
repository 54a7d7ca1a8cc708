package dev.jono.backend.bucketmongo;

import com.mongodb.MongoException;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleResult.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The items of a settling request and their outcomes so far. It is kept for a repetition of the call: it knows what was done
 * before the call failed, and how to find out the outcome of a write whose answer was lost. Not thread-safe.
 */
final class SettleProgress {
    final List<Receipt> receipts;
    final List<@Nullable SlotClaim> claims;
    final Outcome[] outcomes;

    /** Of an item that a write may have settled: the end of its lease before that write; otherwise 0. */
    private final long[] attemptedUntil;
    /** Of such an item: whether the write leaves the message in its slot. */
    private final boolean[] staysInSlot;

    /** Items that name a reservation a second time, with the first item of it. They get the same outcome. */
    private final Map<Integer, Integer> duplicates = new HashMap<>();

    final Set<BucketId> buckets;

    /** Whether a step of the request is stored, or may be. */
    private boolean stored;

    /** Finds out the outcome of a write whose answer was lost, and records it here. */
    private @Nullable Runnable lostAnswer;

    SettleProgress(List<Receipt> receipts) {
        this.receipts = receipts;
        this.claims = new ArrayList<>();
        this.outcomes = new Outcome[receipts.size()];
        this.attemptedUntil = new long[receipts.size()];
        this.staysInSlot = new boolean[receipts.size()];
        SlotClaim previous = null;
        for (Receipt receipt : receipts) {
            SlotClaim claim = SlotClaim.of(receipt, previous);
            claims.add(claim);
            previous = claim == null ? previous : claim;
        }
        this.buckets = unsettledBuckets();
    }

    /** A copy for an attempt that may be rolled back. */
    SettleProgress copy() {
        return new SettleProgress(this);
    }

    private SettleProgress(SettleProgress other) {
        this.receipts = other.receipts;
        this.claims = other.claims;
        this.buckets = other.buckets;
        this.outcomes = other.outcomes.clone();
        this.attemptedUntil = other.attemptedUntil.clone();
        this.staysInSlot = other.staysInSlot.clone();
        this.duplicates.putAll(other.duplicates);
        this.stored = other.stored;
    }

    /** Takes over the progress of an attempt that was committed. */
    void accept(SettleProgress copy) {
        System.arraycopy(copy.outcomes, 0, outcomes, 0, outcomes.length);
        System.arraycopy(copy.attemptedUntil, 0, attemptedUntil, 0, attemptedUntil.length);
        System.arraycopy(copy.staysInSlot, 0, staysInSlot, 0, staysInSlot.length);
        duplicates.putAll(copy.duplicates);
        stored = copy.stored;
    }

    /** Records that the answer to a write is lost, and how to find it out. */
    void answerLost(Runnable find) {
        lostAnswer = find;
    }

    /** Finds out a lost answer, if there is one; throws if the server cannot give it yet. */
    void findLostAnswer() {
        if (lostAnswer != null) {
            lostAnswer.run();
            lostAnswer = null;
        }
    }

    /** The buckets of the items without an outcome. */
    Set<BucketId> unsettledBuckets() {
        Set<BucketId> unsettled = new LinkedHashSet<>();
        BucketId previous = null;
        for (int i = 0; i < outcomes.length; i++) {
            SlotClaim claim = outcomes[i] == null ? claims.get(i) : null;
            if (claim != null && claim.address().bucket() != previous) {
                previous = claim.address().bucket();
                unsettled.add(previous);
            }
        }
        return unsettled;
    }

    /** Cached buckets that do not show the lease of an unsettled item: another process may have changed them since. */
    Set<BucketId> outdated(Map<BucketId, Bucket> cached) {
        Set<BucketId> outdated = new HashSet<>();
        for (int i = 0; i < outcomes.length; i++) {
            SlotClaim claim = outcomes[i] == null ? claims.get(i) : null;
            Bucket bucket = claim == null ? null : cached.get(claim.address().bucket());
            if (claim != null
                    && bucket != null
                    && bucket.group(claim.token(), claim.address().slot()) == null) {
                outdated.add(bucket.id);
            }
        }
        return outdated;
    }

    /**
     * Finds the slots that the caller still holds, by bucket. Gives every other unsettled item its outcome.
     *
     * @param nowMillis an upper bound of the server's time: while a lease lasts, only its holder can have ended it
     */
    Map<BucketId, OwnSlots> sort(Map<BucketId, Bucket> current, long nowMillis) {
        Map<BucketId, OwnSlots> own = new LinkedHashMap<>();
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] != null) {
                continue;
            }
            SlotClaim claim = claims.get(i);
            Bucket bucket = claim == null ? null : current.get(claim.address().bucket());
            if (claim == null
                    || bucket == null
                    || !bucket.live.get(claim.address().slot())) {
                outcomes[i] = endedByUs(i, nowMillis) ? Outcome.DONE : Outcome.GONE;
            } else if (bucket.group(claim.token(), claim.address().slot()) == null) {
                outcomes[i] = staysInSlot[i] && endedByUs(i, nowMillis) ? Outcome.DONE : Outcome.STALE;
            } else {
                Integer first =
                        own.computeIfAbsent(bucket.id, id -> new OwnSlots()).add(i, claim);
                if (first != null) {
                    duplicates.put(i, first);
                }
            }
        }
        return own;
    }

    /** Whether a write of this request has ended the lease: while the lease lasted, no other caller could. */
    private boolean endedByUs(int item, long nowMillis) {
        if (attemptedUntil[item] == 0) {
            return false;
        }
        if (attemptedUntil[item] <= nowMillis) {
            throw new MongoException(
                    "another consumer may have claimed some of the messages before their state was read");
        }
        return true;
    }

    void done(OwnSlots own) {
        stored = true;
        own.itemBySlot().values().forEach(item -> outcomes[item] = Outcome.DONE);
    }

    /** Records that a write may have settled these items; whether it did is not known. */
    void maybeDone(BucketChange change, OwnSlots own) {
        stored = true;
        own.itemBySlot().forEach((slot, item) -> {
            SlotClaim claim = claims.get(item);
            LeaseGroup group = claim == null ? null : change.before().group(claim.token(), slot);
            attemptedUntil[item] = group == null ? 0 : group.endMillis();
            staysInSlot[item] = change.live().get(slot);
        });
    }

    /** Records that the last write did not settle these items. */
    void notDone(OwnSlots own) {
        own.itemBySlot().values().forEach(item -> attemptedUntil[item] = 0);
    }

    /** Whether a step of the request is stored, or may be. */
    boolean maybeStored() {
        return stored || lostAnswer != null;
    }

    void settleDuplicates() {
        duplicates.forEach((item, first) -> {
            if (outcomes[item] == null) {
                outcomes[item] = outcomes[first];
            }
        });
    }
}
