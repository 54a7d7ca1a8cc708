package dev.jono.backend.bucketmongo;

import com.mongodb.client.model.WriteModel;
import dev.jono.backend.bucketmongo.Claims.ClaimBatch;
import dev.jono.backend.bucketmongo.Claims.MarkedSlots;
import dev.jono.backend.bucketmongo.ClaimPlanner.ClaimPlan;
import dev.jono.backend.bucketmongo.ClaimPlanner.Pick;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.CallTokens;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.RepeatableWrite;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.bson.RawBsonDocument;

/**
 * Takes messages out. Those of one bucket in one write, which either was done or was not, as the server knows by its number. A
 * command that changes several buckets tells only how many; so those are marked first, as a claim does, and then consumed.
 */
final class Takes {
    /** A take that dies between its steps gives the messages back after this time. */
    private static final long LEASE_MILLIS = 30_000;

    private final BucketCollection collection;
    private final Claims claims;

    Takes(BucketCollection collection, Claims claims) {
        this.collection = collection;
        this.claims = claims;
    }

    ClaimBatch take(ClaimRequest request, ClaimPlan choice, RepeatableCalls.Way<ClaimResult> way) {
        // Without a number, a write whose answer is lost finds nothing when it is sent again, whoever has got it.
        boolean tells = !collection.transactional() || collection.link.retriesWrites();
        if (choice.picks().size() == 1 && tells) {
            return takeFromOneBucket(choice, way);
        }
        return claims.mark(request, choice, LEASE_MILLIS, way, (got, buckets) -> {
            if (got.isEmpty()) {
                return new ClaimBatch(List.of(), true, collection.nowMillis());
            }
            long endMillis = got.stream().mapToLong(MarkedSlots::endMillis).min().orElse(0);
            return new MarkedRemoval(
                            collection, choice, CallTokens.hash(request.token()), endMillis, picks -> batch(choice, picks))
                    .run(buckets, way);
        });
    }

    private ClaimBatch takeFromOneBucket(ClaimPlan choice, RepeatableCalls.Way<ClaimResult> way) {
        Pick pick = choice.picks().get(0);
        BucketChange change = collection.change(pick.bucket());
        change.remove(pick.slots());
        // Decoded while the write is under way.
        List<Pick> got = List.of(pick);
        Supplier<ClaimBatch> batch;
        if (choice.messages() >= ClaimPlanner.SPLIT_LIMIT) {
            batch = collection.offload(() -> batch(choice, got))::join;
        } else {
            ClaimBatch decoded = batch(choice, got);
            batch = () -> decoded;
        }
        BucketCache cache = collection.memory().buckets;
        cache.forget(List.of(pick.bucket().id));
        if (!write(change.model(), batch, way)) {
            return new ClaimBatch(List.of(), true, collection.nowMillis());
        }
        cache.written(List.of(change));
        return batch.get();
    }

    /** One write; if its answer is lost, the repetition asks what became of it. */
    private boolean write(
            WriteModel<RawBsonDocument> write, Supplier<ClaimBatch> result, RepeatableCalls.Way<ClaimResult> way) {
        return new RepeatableWrite<>(collection.link, "pop", collection.queue, session -> collection.writeOne(session, write))
                .send(again -> way.leave(() -> again.get()
                        .filter(done -> done)
                        .map(done -> result.get().result(0))));
    }

    private ClaimBatch batch(ClaimPlan choice, List<Pick> picks) {
        List<StoredMessage> messages = new ArrayList<>(choice.messages());
        for (Pick pick : picks) {
            Bucket from = pick.bucket();
            BitSet slots = pick.slots();
            for (int i = slots.nextSetBit(0); i >= 0; i = slots.nextSetBit(i + 1)) {
                Slots.SlotContent slot = from.slot(i);
                messages.add(from.unheldMessage(i, slot).id(from.idOf(i, slot)).build());
            }
        }
        boolean more = choice.more() || messages.size() < choice.messages();
        return new ClaimBatch(messages, more, collection.link.timeAsSeen().nowMillis());
    }
}
