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
    final List<SlotAddress.@Nullable SlotClaim> rights;
    final Outcome[] outcomes;

    /** Of what a write of ours may have changed: when the lease ended that it had; else 0. */
    private final long[] triedUntil;
    /** And whether that write leaves the message in its slot. */
    private final boolean[] stays;

    /** What a request names twice ends as the first of it does. */
    private final Map<Integer, Integer> twins = new HashMap<>();

    final Set<BucketCollection.BucketId> ids;

    /** Whether something of it is stored. */
    private boolean begun;

    /** Finds out what became of a write whose answer was lost, and notes it here. */
    private @Nullable Runnable question;

    SettleProgress(List<Receipt> receipts) {
        this.receipts = receipts;
        this.rights = new ArrayList<>();
        this.outcomes = new Outcome[receipts.size()];
        this.triedUntil = new long[receipts.size()];
        this.stays = new boolean[receipts.size()];
        SlotAddress.SlotClaim before = null;
        for (Receipt receipt : receipts) {
            SlotAddress.SlotClaim right = SlotAddress.SlotClaim.of(receipt, before);
            rights.add(right);
            before = right == null ? before : right;
        }
        this.ids = open();
    }

    /** As it is now, for an attempt that may come to nothing. */
    SettleProgress copy() {
        return new SettleProgress(this);
    }

    private SettleProgress(SettleProgress other) {
        this.receipts = other.receipts;
        this.rights = other.rights;
        this.ids = other.ids;
        this.outcomes = other.outcomes.clone();
        this.triedUntil = other.triedUntil.clone();
        this.stays = other.stays.clone();
        this.twins.putAll(other.twins);
        this.begun = other.begun;
    }

    /** Such an attempt has come to something. */
    void adopt(SettleProgress copy) {
        System.arraycopy(copy.outcomes, 0, outcomes, 0, outcomes.length);
        System.arraycopy(copy.triedUntil, 0, triedUntil, 0, triedUntil.length);
        System.arraycopy(copy.stays, 0, stays, 0, stays.length);
        twins.putAll(copy.twins);
        begun = copy.begun;
    }

    /** The answer to a write is lost. */
    void unanswered(Runnable ask) {
        question = ask;
    }

    /** Asks for the answer that was lost, if one was; fails if there is none yet. */
    void askAgain() {
        if (question != null) {
            question.run();
            question = null;
        }
    }

    /** The buckets of what has no outcome yet. */
    Set<BucketCollection.BucketId> open() {
        Set<BucketCollection.BucketId> open = new LinkedHashSet<>();
        BucketCollection.BucketId before = null;
        for (int i = 0; i < outcomes.length; i++) {
            SlotAddress.SlotClaim right = outcomes[i] == null ? rights.get(i) : null;
            if (right != null && right.spot().bucket() != before) {
                before = right.spot().bucket();
                open.add(before);
            }
        }
        return open;
    }

    /** Which of these buckets do not hold all that is to be found in them: others may have changed them since. */
    Set<BucketCollection.BucketId> doubtful(Map<BucketCollection.BucketId, Bucket> known) {
        Set<BucketCollection.BucketId> doubtful = new HashSet<>();
        for (int i = 0; i < outcomes.length; i++) {
            SlotAddress.SlotClaim right = outcomes[i] == null ? rights.get(i) : null;
            Bucket bucket = right == null ? null : known.get(right.spot().bucket());
            if (right != null
                    && bucket != null
                    && bucket.group(right.token(), right.spot().slot()) == null) {
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
    Map<BucketCollection.BucketId, OwnSlots> sort(Map<BucketCollection.BucketId, Bucket> there, long nowMillis) {
        Map<BucketCollection.BucketId, OwnSlots> mine = new LinkedHashMap<>();
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] != null) {
                continue;
            }
            SlotAddress.SlotClaim right = rights.get(i);
            Bucket bucket = right == null ? null : there.get(right.spot().bucket());
            if (right == null || bucket == null || !bucket.live.get(right.spot().slot())) {
                outcomes[i] = tried(i, nowMillis) ? Outcome.DONE : Outcome.GONE;
            } else if (bucket.group(right.token(), right.spot().slot()) == null) {
                outcomes[i] = stays[i] && tried(i, nowMillis) ? Outcome.DONE : Outcome.STALE;
            } else {
                Integer first =
                        mine.computeIfAbsent(bucket.id, id -> new OwnSlots()).add(i, right);
                if (first != null) {
                    twins.put(i, first);
                }
            }
        }
        return mine;
    }

    /** Whether a write of ours has ended it, where it is not known what that has done: while its lease lasted, nobody else could. */
    private boolean tried(int item, long nowMillis) {
        if (triedUntil[item] == 0) {
            return false;
        }
        if (triedUntil[item] <= nowMillis) {
            throw new MongoException("others may have got some of it by the time that it was looked for");
        }
        return true;
    }

    void done(OwnSlots mine) {
        begun = true;
        mine.items().values().forEach(item -> outcomes[item] = Outcome.DONE);
    }

    /** These may have been changed by a write of ours of which it is not known what it has done. */
    void tried(BucketChange draft, OwnSlots mine) {
        begun = true;
        mine.items().forEach((slot, item) -> {
            SlotAddress.SlotClaim right = rights.get(item);
            LeaseGroup group = right == null ? null : draft.before().group(right.token(), slot);
            triedUntil[item] = group == null ? 0 : group.endMillis();
            stays[item] = draft.live().get(slot);
        });
    }

    /** They were not changed by it. */
    void notDone(OwnSlots mine) {
        mine.items().values().forEach(item -> triedUntil[item] = 0);
    }

    /** Whether something of it is stored, or may be. */
    boolean begun() {
        return begun || question != null;
    }

    void endTwins() {
        twins.forEach((item, first) -> {
            if (outcomes[item] == null) {
                outcomes[item] = outcomes[first];
            }
        });
    }
}
