package dev.jono.backend.bucketmongo;

import com.mongodb.client.model.WriteModel;
import dev.jono.backend.bucketmongo.ClaimMarking.AfterMarking;
import dev.jono.backend.bucketmongo.ClaimMarking.MarkedSlots;
import dev.jono.backend.bucketmongo.ClaimPlan.Pick;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.CallTokens;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.RepeatableWrite;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.bson.RawBsonDocument;

/**
 * Takes: removes messages and returns them. Called by {@link BucketQueue} on threads that may block.
 *
 * <p>Messages of one bucket are taken with one write; the server remembers that write by its transaction number, so a repetition
 * learns whether it took effect. A command that changes several buckets answers only how many it has changed. So messages of
 * several buckets are marked first, as by a claim, and then removed.
 */
final class Takes {
    /** If the process dies between marking and removal, the messages can be taken again after this time. */
    private static final long LEASE_MILLIS = 30_000;

    private final BucketCollection collection;
    private final ClaimAttempts attempts;
    private final ClaimMarking marking;

    Takes(BucketCollection collection, ClaimAttempts attempts) {
        this.collection = collection;
        this.attempts = attempts;
        this.marking = new ClaimMarking(collection);
    }

    ClaimResult take(ClaimRequest request) {
        return collection
                .memory()
                .takes
                .run(
                        request.token(),
                        running -> attempts.run("pop", request, true, plan -> takePlanned(request, plan, running)));
    }

    private ClaimBatch takePlanned(ClaimRequest request, ClaimPlan plan, RepeatableCalls.Running<ClaimResult> running) {
        // Without a transaction number, a repeated write cannot tell whether this call or another process took the
        // messages.
        boolean repeatable = !collection.transactional() || collection.link.retriesWrites();
        if (plan.picks().size() == 1 && repeatable) {
            return takeFromOneBucket(plan, running);
        }
        return marking.mark(request, plan, LEASE_MILLIS, running, new AfterMarking() {
            @Override
            public ClaimBatch apply(List<MarkedSlots> marked, Map<BucketId, Bucket> buckets) {
                return marked.isEmpty()
                        ? new ClaimBatch(List.of(), true, collection.nowMillis())
                        : removeMarked(request, plan, marked, buckets, running);
            }

            @Override
            public boolean takes() {
                return true;
            }
        });
    }

    private ClaimBatch removeMarked(
            ClaimRequest request,
            ClaimPlan plan,
            List<MarkedSlots> marked,
            Map<BucketId, Bucket> buckets,
            RepeatableCalls.Running<ClaimResult> running) {
        long endMillis = marked.stream().mapToLong(MarkedSlots::endMillis).min().orElse(0);
        return new MarkedRemoval(
                        collection, plan, CallTokens.hash(request.token()), endMillis, picks -> batch(plan, picks))
                .run(buckets, running);
    }

    private ClaimBatch takeFromOneBucket(ClaimPlan plan, RepeatableCalls.Running<ClaimResult> running) {
        Pick pick = plan.picks().get(0);
        BucketChange change = collection.change(pick.bucket());
        change.remove(pick.slots());
        // A large batch is decoded by another thread while the write is in flight.
        List<Pick> picks = List.of(pick);
        Supplier<ClaimBatch> batch;
        if (plan.messages() >= ClaimPlan.SPLIT_LIMIT) {
            batch = collection.offload(() -> batch(plan, picks))::join;
        } else {
            ClaimBatch decoded = batch(plan, picks);
            batch = () -> decoded;
        }
        BucketCache cache = collection.memory().buckets;
        cache.forget(List.of(pick.bucket().id));
        if (!write(change.model(), batch, running)) {
            return new ClaimBatch(List.of(), true, collection.nowMillis());
        }
        cache.written(List.of(change));
        return batch.get();
    }

    /** Sends one write; if its answer is lost, a repetition of the call asks the server whether it took effect. */
    private boolean write(
            WriteModel<RawBsonDocument> write,
            Supplier<ClaimBatch> batch,
            RepeatableCalls.Running<ClaimResult> running) {
        return new RepeatableWrite<>(
                        collection.link, "pop", collection.queueName, session -> collection.writeOne(session, write))
                .send(again -> running.onRepeat(() ->
                        again.get().filter(done -> done).map(done -> batch.get().result(0))));
    }

    private ClaimBatch batch(ClaimPlan plan, List<Pick> picks) {
        List<StoredMessage> messages = new ArrayList<>(plan.messages());
        for (Pick pick : picks) {
            Bucket bucket = pick.bucket();
            BitSet slots = pick.slots();
            for (int i = slots.nextSetBit(0); i >= 0; i = slots.nextSetBit(i + 1)) {
                Slots.SlotContent slot = bucket.slot(i);
                messages.add(
                        bucket.unheldMessage(i, slot).id(bucket.idOf(i, slot)).build());
            }
        }
        boolean more = plan.more() || messages.size() < plan.messages();
        return new ClaimBatch(messages, more, collection.link.lastKnownTime().nowMillis());
    }
}
