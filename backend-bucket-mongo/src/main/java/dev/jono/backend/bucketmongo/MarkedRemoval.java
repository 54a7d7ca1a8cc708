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
 * Removes the messages that a take has marked; used by one call of {@link Takes} and its repetitions. Not thread-safe.
 *
 * <p>Each write takes effect only while the marks last by the server's clock. In that time no other consumer can get the
 * messages, so this call has removed those that are gone. If an answer is lost, the server can be asked for it. There is no
 * transaction, because one whose process dies would block its buckets for more than a minute.
 */
final class MarkedRemoval {
    private final BucketCollection collection;
    private final ClaimPlan plan;
    private final long token;
    private final long endMillis;
    private final Function<List<Pick>, ClaimBatch> batch;
    private final List<Part> parts = new ArrayList<>();
    /** Records the outcome of a command whose answer was lost. */
    private @Nullable Runnable lostAnswer;

    /**
     * Prepares the removal.
     *
     * @param token the token of the marks
     * @param endMillis the end of the marks by the server's clock
     * @param batch builds the result from the removed messages
     */
    MarkedRemoval(
            BucketCollection collection,
            ClaimPlan plan,
            long token,
            long endMillis,
            Function<List<Pick>, ClaimBatch> batch) {
        this.collection = collection;
        this.plan = plan;
        this.token = token;
        this.endMillis = endMillis;
        this.batch = batch;
    }

    /** The marked messages of one bucket. */
    private static final class Part {
        final Pick pick;
        final BitSet removed = new BitSet();
        /** Slots that are marked and not known to be removed. */
        final BitSet left;
        /** The last write; null once its outcome is known. */
        @Nullable BucketChange sent;
        /** How many writes of the last command took effect; negative if there was no answer. */
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

    /** Removes the marked messages, beginning with the buckets as the marking left them. */
    ClaimBatch run(Map<BucketId, Bucket> buckets, RepeatableCalls.Running<ClaimResult> running) {
        for (Pick pick : plan.picks()) {
            BitSet marked = marked(buckets.get(pick.bucket().id));
            marked.and(pick.slots());
            parts.add(new Part(pick, marked));
        }
        running.onRepeat(
                () -> Optional.of(collection.call("pop", true, this::resume).result(0)));
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
        return collection.read(null, plan.ids(), false);
    }

    private ClaimBatch removeMarked(Map<BucketId, Bucket> first) {
        Map<BucketId, Bucket> buckets = first;
        collection.memory().buckets.forget(plan.ids());
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

    /** Finds out which marked messages are gone, and whether this call has removed them. */
    private void inspect(Part part, @Nullable Bucket bucket) {
        BitSet gone = (BitSet) part.left.clone();
        gone.andNot(marked(bucket));
        if (bucket != null) {
            // Still there without the mark: a deletion of the queue undid it, or it has ended. This call must not
            // remove them.
            BitSet back = (BitSet) gone.clone();
            back.and(bucket.live);
            part.left.andNot(back);
            gone.andNot(back);
        }
        BucketChange sent = part.sent;
        part.sent = null;
        if (gone.isEmpty()) {
            if (sent != null && part.done >= 0 && bucket != null && bucket.version == sent.before().version) {
                part.left.clear(); // no other process changed the bucket, so the marks have ended
            }
        } else if (sent == null || part.done == 0) {
            part.left.andNot(gone); // the marks have ended, and another consumer has the messages
        } else if (leaseHolds() || (bucket != null && bucket.version == sent.version())) {
            part.removed(gone);
        } else {
            part.sent = sent;
            throw new MongoException("another consumer may have got some of the messages before they were removed");
        }
    }

    private boolean leaseHolds() {
        return collection.link.lastKnownTime().latestMillis() < endMillis;
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

    /** Sends all writes of one kind as one command. */
    private void send(Map<Part, BucketChange> writes) {
        if (writes.isEmpty()) {
            return;
        }
        writes.forEach((part, change) -> {
            part.sent = change;
            part.done = -1;
        });
        Set<Part> sent = writes.keySet();
        List<WriteModel<RawBsonDocument>> models = BucketCollection.models(writes.values());
        long done = new RepeatableWrite<>(
                        collection.link, "pop", collection.queueName, session -> collection.write(session, models))
                .send(again -> lostAnswer = () -> again.get().ifPresent(late -> answered(sent, late)));
        answered(sent, done);
        if (done == sent.size()) {
            collection.memory().buckets.written(writes.values());
        }
    }

    /** Records the answer. If only some of the writes took effect, the next read tells which. */
    private static void answered(Set<Part> sent, long done) {
        for (Part part : sent) {
            part.done = done;
            if (done == sent.size()) {
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
