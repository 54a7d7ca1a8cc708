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
 * The receipts of a request, and what has become of them. One that is kept for a repetition knows what was done before the
 * call failed, and how to find out what became of a write without an answer. Not thread-safe.
 */
final class SettleProgress {
    final List<Receipt> receipts;
    final List<@Nullable SlotClaim> claims;
    final Outcome[] outcomes;

    /** Of what a write of ours may have changed: when the lease ended that it had; else 0. */
    private final long[] attemptedUntil;
    /** And whether that write leaves the message in its slot. */
    private final boolean[] staysInSlot;

    /** What a request names twice ends as the first of it does. */
    private final Map<Integer, Integer> duplicates = new HashMap<>();

    final Set<BucketId> buckets;

    /** Whether something of it is stored. */
    private boolean stored;

    /** Finds out what became of a write whose answer was lost, and notes it here. */
    private @Nullable Runnable lostAnswer;

    SettleProgress(List<Receipt> receipts) {
        this.receipts = receipts;
        this.claims = new ArrayList<>();
        this.outcomes = new Outcome[receipts.size()];
        this.attemptedUntil = new long[receipts.size()];
        this.staysInSlot = new boolean[receipts.size()];
        SlotClaim before = null;
        for (Receipt receipt : receipts) {
            SlotClaim claim = SlotClaim.of(receipt, before);
            claims.add(claim);
            before = claim == null ? before : claim;
        }
        this.buckets = unsettledBuckets();
    }

    /** As it is now, for an attempt that may come to nothing. */
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

    /** Such an attempt has come to something. */
    void accept(SettleProgress copy) {
        System.arraycopy(copy.outcomes, 0, outcomes, 0, outcomes.length);
        System.arraycopy(copy.attemptedUntil, 0, attemptedUntil, 0, attemptedUntil.length);
        System.arraycopy(copy.staysInSlot, 0, staysInSlot, 0, staysInSlot.length);
        duplicates.putAll(copy.duplicates);
        stored = copy.stored;
    }

    /** The answer to a write is lost. */
    void answerLost(Runnable find) {
        lostAnswer = find;
    }

    /** Asks for the answer that was lost, if one was; fails if there is none yet. */
    void findLostAnswer() {
        if (lostAnswer != null) {
            lostAnswer.run();
            lostAnswer = null;
        }
    }

    /** The buckets of what has no outcome yet. */
    Set<BucketId> unsettledBuckets() {
        Set<BucketId> unsettled = new LinkedHashSet<>();
        BucketId before = null;
        for (int i = 0; i < outcomes.length; i++) {
            SlotClaim claim = outcomes[i] == null ? claims.get(i) : null;
            if (claim != null && claim.address().bucket() != before) {
                before = claim.address().bucket();
                unsettled.add(before);
            }
        }
        return unsettled;
    }

    /** Which of these buckets do not hold all that is to be found in them: others may have changed them since. */
    Set<BucketId> outdated(Map<BucketId, Bucket> cached) {
        Set<BucketId> doubtful = new HashSet<>();
        for (int i = 0; i < outcomes.length; i++) {
            SlotClaim claim = outcomes[i] == null ? claims.get(i) : null;
            Bucket bucket = claim == null ? null : cached.get(claim.address().bucket());
            if (claim != null
                    && bucket != null
                    && bucket.group(claim.token(), claim.address().slot()) == null) {
                doubtful.add(bucket.id);
            }
        }
        return doubtful;
    }

    /**
     * Sorts out what is not settled yet: what is its holder's, by bucket; the rest has an outcome then.
     *
     * @param nowMillis the server's clock, not earlier than it is: while a lease lasts, nobody but its holder can have
     *     ended it
     */
    Map<BucketId, OwnSlots> sort(Map<BucketId, Bucket> current, long nowMillis) {
        Map<BucketId, OwnSlots> own = new LinkedHashMap<>();
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] != null) {
                continue;
            }
            SlotClaim claim = claims.get(i);
            Bucket bucket = claim == null ? null : current.get(claim.address().bucket());
            if (claim == null || bucket == null || !bucket.live.get(claim.address().slot())) {
                outcomes[i] = maybeDone(i, nowMillis) ? Outcome.DONE : Outcome.GONE;
            } else if (bucket.group(claim.token(), claim.address().slot()) == null) {
                outcomes[i] = staysInSlot[i] && maybeDone(i, nowMillis) ? Outcome.DONE : Outcome.STALE;
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

    /** Whether a write of ours has ended it, where it is not known what that has done: while its lease lasted, nobody else could. */
    private boolean maybeDone(int item, long nowMillis) {
        if (attemptedUntil[item] == 0) {
            return false;
        }
        if (attemptedUntil[item] <= nowMillis) {
            throw new MongoException("others may have got some of it by the time that it was looked for");
        }
        return true;
    }

    void done(OwnSlots own) {
        stored = true;
        own.itemBySlot().values().forEach(item -> outcomes[item] = Outcome.DONE);
    }

    /** These may have been changed by a write of ours of which it is not known what it has done. */
    void maybeDone(BucketChange change, OwnSlots own) {
        stored = true;
        own.itemBySlot().forEach((slot, item) -> {
            SlotClaim claim = claims.get(item);
            LeaseGroup group = claim == null ? null : change.before().group(claim.token(), slot);
            attemptedUntil[item] = group == null ? 0 : group.endMillis();
            staysInSlot[item] = change.live().get(slot);
        });
    }

    /** They were not changed by it. */
    void notDone(OwnSlots own) {
        own.itemBySlot().values().forEach(item -> attemptedUntil[item] = 0);
    }

    /** Whether something of it is stored, or may be. */
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
