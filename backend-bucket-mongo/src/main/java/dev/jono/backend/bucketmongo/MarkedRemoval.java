package dev.jono.backend.bucketmongo;

import com.mongodb.MongoException;
import com.mongodb.client.model.WriteModel;
import dev.jono.backend.bucketmongo.ClaimPlan.Pick;
import dev.jono.spi.ClaimResult;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.RepeatableWrite;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Consumes what a take has marked. A write takes place while the marks last by the server's clock, or not at all; nobody else
 * can get any of it in that time, so what is gone is gone by us. Answers that are lost can be asked for. No transaction: one
 * that is cut off by the death of its process would hold its buckets for more than a minute.
 */
final class MarkedRemoval {
    private final BucketCollection collection;
    private final ClaimPlan choice;
    private final long token;
    private final long endMillis;
    private final Function<List<Pick>, ClaimBatch> batch;
    private final List<Part> parts = new ArrayList<>();
    /** Notes what became of a command whose answer was lost. */
    private @Nullable Runnable lostAnswer;

    /**
     * Nothing is removed yet.
     *
     * @param token of the marks
     * @param endMillis when they end, by the server's clock
     * @param batch what there is to hand out when these are removed
     */
    MarkedRemoval(BucketCollection collection, ClaimPlan choice, long token, long endMillis, Function<List<Pick>, ClaimBatch> batch) {
        this.collection = collection;
        this.choice = choice;
        this.token = token;
        this.endMillis = endMillis;
        this.batch = batch;
    }

    /** A bucket of which something was marked. */
    private static final class Part {
        final Pick pick;
        final BitSet removed = new BitSet();
        /** Marked, and not known to be removed. */
        final BitSet left;
        /** The last write; null if what came of it is known. */
        @Nullable BucketChange sent;
        /** So many writes of its command took place; negative if there was no answer. */
        long done;

        Part(Pick pick, BitSet marked) {
            this.pick = pick;
            this.left = marked;
        }

        boolean open() {
            return !left.isEmpty();
        }

        void removed(BitSet slots) {
            removed.or(slots);
            left.andNot(slots);
        }
    }

    /** From buckets as they are behind the marking. */
    ClaimBatch run(Map<BucketId, Bucket> buckets, RepeatableCalls.Way<ClaimResult> way) {
        for (Pick pick : choice.picks()) {
            BitSet marked = marked(buckets.get(pick.bucket().id));
            marked.and(pick.slots());
            parts.add(new Part(pick, marked));
        }
        way.leave(() -> Optional.of(collection.call("pop", true, this::resume).result(0)));
        return removeMarked(buckets);
    }

    private ClaimBatch resume() {
        if (lostAnswer != null) {
            lostAnswer.run();
            lostAnswer = null;
        }
        return removeMarked(read());
    }

    private Map<BucketId, Bucket> read() {
        return collection.read(null, choice.ids(), false);
    }

    private ClaimBatch removeMarked(Map<BucketId, Bucket> first) {
        Map<BucketId, Bucket> buckets = first;
        collection.memory().buckets.forget(choice.ids());
        while (true) {
            for (Part part : parts) {
                inspect(part, buckets.get(part.pick.bucket().id));
            }
            remove(buckets);
            if (parts.stream().noneMatch(Part::open)) {
                return result();
            }
            buckets = read();
        }
    }

    /** Finds out what of it is gone by now, and whether by us. */
    private void inspect(Part part, @Nullable Bucket bucket) {
        BitSet gone = (BitSet) part.left.clone();
        gone.andNot(marked(bucket));
        BucketChange sent = part.sent;
        part.sent = null;
        if (gone.isEmpty()) {
            if (sent != null && part.done >= 0 && bucket != null && bucket.version == sent.before().version) {
                part.left.clear(); // nobody was in the way, so the marks have ended: it is there for all
            }
        } else if (sent == null || part.done == 0) {
            part.left.andNot(gone); // the marks have ended, and others have got it
        } else if (leaseHolds() || (bucket != null && bucket.version == sent.version())) {
            part.removed(gone);
        } else {
            part.sent = sent;
            throw new MongoException("others may have had a part of it by the time that it was removed");
        }
    }

    private boolean leaseHolds() {
        return collection.link.timeAsSeen().latestMillis() < endMillis;
    }

    private BitSet marked(@Nullable Bucket bucket) {
        BitSet marked = new BitSet();
        if (bucket != null) {
            bucket.groups.stream().filter(group -> group.token() == token).forEach(group -> marked.or(group.slots()));
        }
        return marked;
    }

    private void remove(Map<BucketId, Bucket> buckets) {
        Map<Part, BucketChange> deletions = new LinkedHashMap<>();
        Map<Part, BucketChange> updates = new LinkedHashMap<>();
        for (Part part : parts) {
            if (part.open()) {
                BucketChange change = collection.change(Objects.requireNonNull(buckets.get(part.pick.bucket().id)));
                change.remove(part.left);
                change.requireLease(token);
                (change.deletes() ? deletions : updates).put(part, change);
            }
        }
        send(deletions);
        send(updates);
    }

    /** In one command. */
    private void send(Map<Part, BucketChange> writes) {
        if (writes.isEmpty()) {
            return;
        }
        writes.forEach((part, change) -> {
            part.sent = change;
            part.done = -1;
        });
        Set<Part> some = writes.keySet();
        List<WriteModel<RawBsonDocument>> models = BucketCollection.models(writes.values());
        long done = new RepeatableWrite<>(collection.link, "pop", collection.queue, session -> collection.write(session, models))
                .send(again -> lostAnswer = () -> again.get().ifPresent(late -> answered(some, late)));
        answered(some, done);
        if (done == some.size()) {
            collection.memory().buckets.written(writes.values());
        }
    }

    /** If only some have taken place, a look tells which. */
    private static void answered(Set<Part> some, long done) {
        for (Part part : some) {
            part.done = done;
            if (done == some.size()) {
                part.removed((BitSet) part.left.clone());
                part.sent = null;
            }
        }
    }

    private ClaimBatch result() {
        return batch.apply(parts.stream()
                .filter(part -> !part.removed.isEmpty())
                .map(part -> new Pick(part.pick.bucket(), part.removed))
                .toList());
    }
}
