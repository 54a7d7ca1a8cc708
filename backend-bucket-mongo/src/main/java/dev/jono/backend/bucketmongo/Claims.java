package dev.jono.backend.bucketmongo;

import dev.jono.backend.bucketmongo.ClaimMarking.AfterMarking;
import dev.jono.backend.bucketmongo.ClaimMarking.MarkedSlots;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.CallTokens;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** Claims: leases messages to their caller. Called by {@link BucketQueue} on threads that may block. */
final class Claims {
    private final BucketCollection collection;
    private final ClaimAttempts attempts;
    private final ClaimMarking marking;

    Claims(BucketCollection collection, ClaimAttempts attempts) {
        this.collection = collection;
        this.attempts = attempts;
        this.marking = new ClaimMarking(collection);
    }

    ClaimResult claim(ClaimRequest request) {
        return collection
                .memory()
                .claims
                .run(
                        request.token(),
                        running ->
                                attempts.run("reserve", request, false, plan -> claimPlanned(request, plan, running)));
    }

    private ClaimBatch claimPlanned(
            ClaimRequest request, ClaimPlan plan, RepeatableCalls.Running<ClaimResult> running) {
        return marking.mark(request, plan, request.leaseMillis(), running, new AfterMarking() {
            @Override
            public ClaimBatch apply(List<MarkedSlots> marked, Map<BucketId, Bucket> buckets) {
                return batch(request, plan, marked);
            }

            @Override
            public boolean needsNoStorage() {
                return true;
            }
        });
    }

    private ClaimBatch batch(ClaimRequest request, ClaimPlan plan, List<MarkedSlots> marked) {
        String claim = SlotClaim.text(CallTokens.hash(request.token()));
        List<StoredMessage> messages = new ArrayList<>(plan.messages());
        long now = collection.nowMillis();
        for (MarkedSlots held : marked) {
            now = held.endMillis() - request.leaseMillis();
            Bucket bucket = held.pick().bucket();
            BitSet slots = held.pick().slots();
            for (int i = slots.nextSetBit(0); i >= 0; i = slots.nextSetBit(i + 1)) {
                Slots.SlotContent slot = bucket.slot(i);
                String id = bucket.idOf(i, slot);
                boolean inPushedSlot = slot.firstId() == null;
                messages.add(bucket.unheldMessage(i, slot)
                        .id(id)
                        .leaseEndMillis(held.endMillis())
                        .state(StoredMessage.State.RESERVED)
                        .expired(bucket.expired(i))
                        .isolated(plan.isolated())
                        .receipt(SlotClaim.receipt(id, inPushedSlot, claim))
                        .build());
            }
        }
        return new ClaimBatch(messages, plan.more() || messages.size() < plan.messages(), now);
    }
}
