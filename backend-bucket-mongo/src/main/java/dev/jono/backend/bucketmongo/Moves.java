package dev.jono.backend.bucketmongo;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.WriteModel;
import dev.jono.Capability;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.UnsupportedCapabilityException;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleResult;
import dev.jono.support.mongo.MovedMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * Moves: takes held messages out of their buckets and stores each under the same id in its own bucket of the target queue, in one
 * transaction. Called by {@link BucketQueue} on threads that may block.
 */
final class Moves {
    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

    private final BucketCollection collection;
    private final Settlements settlements;

    Moves(BucketCollection collection, Settlements settlements) {
        this.collection = collection;
        this.settlements = settlements;
    }

    SettleResult move(MoveRequest request) {
        List<MoveItem> items = request.items();
        if (items.isEmpty()) {
            return SettleResult.builder().build();
        }
        if (!collection.transactional()) {
            // The engine does not call this then: it inserts into the target and acks here.
            throw new UnsupportedCapabilityException(
                    "a move between collections",
                    collection.queueName,
                    collection.context.type(),
                    Capability.ATOMIC_MOVE);
        }
        List<Receipt> receipts = items.stream().map(MoveItem::receipt).toList();
        List<BsonDocument> payloads = items.stream().map(this::payloadFields).toList();
        Map<String, BucketCollection> targets = new LinkedHashMap<>();
        for (MoveItem item : items) {
            targets.computeIfAbsent(item.toQueue(), collection::ofQueue);
        }
        // A transaction must not wait until an index is built.
        targets.values().forEach(target -> target.ensureIndexes("move", true));
        Set<BucketId> buckets = new SettleProgress(receipts).buckets;
        SettleResult result = collection.call(
                "move",
                true,
                () -> collection
                        .memory()
                        .settles
                        .run(
                                request.token(),
                                running -> collection.context.locks().with(buckets, () -> {
                                    collection.memory().buckets.forget(buckets);
                                    return collection
                                            .transactions()
                                            .run(
                                                    "move",
                                                    collection.queueName,
                                                    session -> moveIn(session, items, receipts, payloads, targets),
                                                    running);
                                })));
        collection.memory().buckets.resetCandidates();
        targets.values().forEach(target -> target.memory().buckets.resetCandidates());
        return result;
    }

    /** The fields of an item's new payload; empty if the message keeps its payload. */
    private BsonDocument payloadFields(MoveItem item) {
        EncodedPayload payload = item.payload();
        if (payload == null) {
            return new BsonDocument();
        }
        BsonDocument slot =
                BucketWriter.slot("move", collection.queueName, item.receipt().id(), payload, Headers.empty());
        slot.remove(Fields.HEADERS);
        return slot;
    }

    private SettleResult moveIn(
            ClientSession session,
            List<MoveItem> items,
            List<Receipt> receipts,
            List<BsonDocument> payloads,
            Map<String, BucketCollection> targets) {
        SettleProgress progress = new SettleProgress(receipts);
        Map<BucketId, Bucket> buckets = collection.read(session, progress.buckets, true);
        Map<BucketId, OwnSlots> ownByBucket = progress.sort(buckets, settlements.latestMillis());
        List<BucketChange> changes = new ArrayList<>();
        Map<String, Map<String, BsonDocument>> byTarget = new LinkedHashMap<>();
        ownByBucket.forEach((id, own) -> {
            Bucket bucket = buckets.get(id);
            if (bucket != null) {
                BucketChange change = collection.change(bucket);
                change.remove(own.slots());
                changes.add(change);
                own.itemBySlot().forEach((slot, index) -> {
                    MoveItem item = items.get(index);
                    byTarget.computeIfAbsent(item.toQueue(), name -> new LinkedHashMap<>())
                            .put(item.receipt().id(), document(bucket, slot, item, payloads.get(index)));
                });
            }
        });
        collection.write(session, BucketCollection.models(changes));
        byTarget.forEach((name, documents) -> {
            BucketCollection target = targets.get(name);
            if (target != null) {
                store(session, target, documents);
            }
        });
        ownByBucket.values().forEach(progress::done);
        return settlements.result(progress);
    }

    private BsonDocument document(Bucket bucket, int slot, MoveItem item, BsonDocument payload) {
        String id = item.receipt().id();
        BsonDocument message = bucket.isForeign()
                ? new BsonDocument(Fields.PAYLOAD, BsonNull.VALUE)
                : bucket.document(slot).decode(DOCUMENTS);
        MovedMessage.change(message, Fields.HEADERS, item, payload);
        BsonDocument own = BucketWriter.own(
                SlotAddress.ofOwnBucket(id),
                message,
                id,
                collection.dueMillis(item.due()),
                item.tries(),
                collection.plain());
        return BucketWriter.raw("move", collection.queueName, id, own);
    }

    /** Stores messages in the target; skips a message whose id the target holds already. */
    private static void store(ClientSession session, BucketCollection target, Map<String, BsonDocument> documents) {
        Map<BucketId, Bucket> buckets = target.read(session, SlotAddress.candidateBuckets(documents.keySet()), false);
        List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
        documents.forEach((id, document) -> {
            if (SlotAddress.candidates(id).stream().noneMatch(address -> address.isLiveIn(buckets))) {
                models.add(BucketCollection.upsert(SlotAddress.ofOwnBucket(id).bucket(), document));
            }
        });
        target.write(session, models);
    }
}
