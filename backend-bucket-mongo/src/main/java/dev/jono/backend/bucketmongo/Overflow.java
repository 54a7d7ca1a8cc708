package dev.jono.backend.bucketmongo;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.WriteModel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * Makes room in buckets for the leases that claims write into them. keuss limits only the number of messages of a bucket, so its
 * bucket may fill a document to the last byte; then the last messages move into own buckets first. Jono's buckets are never
 * that large. Called by {@link ClaimAttempts} before it locks the buckets.
 */
final class Overflow {
    /** A claim adds less than this to a bucket, and less than the next constant for each message. */
    private static final int CLAIM_BYTES = 256;

    private static final int CLAIM_BYTES_PER_MESSAGE = 112;
    /** No more messages than this are each assumed to have a lease group of their own. */
    private static final int MAX_SINGLE_LEASES = 2048;
    /** On a server without transactions, the due time of the copies is this far ahead while the originals exist. */
    private static final long HIDDEN_MILLIS = 30_000;

    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

    private final BucketCollection collection;

    Overflow(BucketCollection collection) {
        this.collection = collection;
    }

    /** Whether the bucket has no room for a single claim; such a bucket has one message, or few. */
    static boolean isFull(Bucket bucket) {
        return bucket.bytes > BucketWriter.SERVER_LIMIT - CLAIM_BYTES;
    }

    /** The bytes to remove, so that every message can be claimed; there is room if it is not positive. */
    private static long excessBytes(Bucket bucket) {
        return bucket.bytes + claimBytes(bucket.live.cardinality()) - BucketWriter.SERVER_LIMIT;
    }

    private static long claimBytes(int messages) {
        return CLAIM_BYTES + (long) CLAIM_BYTES_PER_MESSAGE * Math.min(messages, MAX_SINGLE_LEASES);
    }

    /** Makes room in these buckets; returns whether a bucket was changed, so that it must be read again. */
    boolean makeRoom(List<Bucket> buckets) {
        boolean any = false;
        for (Bucket bucket : buckets) {
            if (bucket.live.cardinality() > 1 && excessBytes(bucket) > 0) {
                any |= makeRoom(bucket);
            }
        }
        return any;
    }

    private boolean makeRoom(Bucket bucket) {
        BitSet moved = new BitSet();
        List<RawBsonDocument> own = new ArrayList<>();
        choose(bucket, moved, own);
        if (own.isEmpty()) {
            return false;
        }
        BucketChange change = collection.change(bucket);
        change.remove(moved);
        List<BucketId> ids = List.of(bucket.id);
        collection.context.locks().with(ids, () -> {
            if (collection.transactional()) {
                collection
                        .transactions()
                        .attempt(
                                "making room",
                                collection.queueName,
                                session -> inTransaction(session, change, own) ? change : null,
                                later -> {});
            } else {
                withoutTransaction(change, own);
            }
            collection.memory().buckets.forget(ids);
            return change;
        });
        return true;
    }

    /** Chooses the last unheld messages, so that the order is kept; leaves out those that fill a document by themselves. */
    private void choose(Bucket bucket, BitSet moved, List<RawBsonDocument> own) {
        BitSet free = bucket.unheld(collection.nowMillis());
        int first = bucket.live.nextSetBit(0);
        long excess = excessBytes(bucket);
        for (int i = free.previousSetBit(free.length()); i > first && excess > 0; i = free.previousSetBit(i - 1)) {
            excess -= moveOut(bucket, i, moved, own);
        }
        if (excess > 0 && free.get(first) && moved.cardinality() + 1 < bucket.live.cardinality()) {
            moveOut(bucket, first, moved, own);
        }
    }

    private int moveOut(Bucket bucket, int slot, BitSet moved, List<RawBsonDocument> own) {
        // Due after the messages that stay, in the order of the slots.
        long due = bucket.dueMillis + 1 + slot;
        var alone = new RawBsonDocument(
                BucketWriter.own(bucket, slot, due, bucket.uncounted(slot) ? 1 : 0, collection.plain()), DOCUMENTS);
        if (alone.getByteBuffer().remaining() > BucketWriter.MAX_OWN) {
            return 0;
        }
        moved.set(slot);
        own.add(alone);
        return bucket.bytes(slot) + CLAIM_BYTES_PER_MESSAGE;
    }

    private boolean inTransaction(ClientSession session, BucketChange change, List<RawBsonDocument> own) {
        List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
        own.forEach(document -> models.add(BucketCollection.upsert(BucketReader.read(document).id, document)));
        collection.write(session, models);
        return collection.writeOne(session, change.model());
    }

    /** Stores copies that are not due yet, removes the originals, then makes the copies due. A crash in between leaves both. */
    private void withoutTransaction(BucketChange change, List<RawBsonDocument> own) {
        long hiddenUntilMillis = collection.link.time().latestMillis() + HIDDEN_MILLIS;
        Map<BucketId, RawBsonDocument> hidden = new LinkedHashMap<>();
        for (RawBsonDocument document : own) {
            BsonDocument copy = document.decode(DOCUMENTS);
            copy.put(Fields.MATURE, Fields.date(hiddenUntilMillis));
            copy.put(Fields.FREE, Fields.date(hiddenUntilMillis));
            hidden.put(BucketReader.read(document).id, new RawBsonDocument(copy, DOCUMENTS));
        }
        List<WriteModel<RawBsonDocument>> models = storeHidden(hidden);
        if (models.size() < own.size()) {
            return;
        }
        boolean moved = collection.write(null, models) == own.size() && collection.writeOne(null, change.model());
        // The versions keep these changes away from copies that another process has stored.
        List<BucketChange> finalChanges = new ArrayList<>();
        for (RawBsonDocument document : own) {
            Bucket visible = BucketReader.read(document);
            Bucket stored = BucketReader.read(Objects.requireNonNull(hidden.get(visible.id)));
            BucketChange finalChange = collection.change(stored);
            if (moved) {
                finalChange.reschedule(visible.dueMillis, false);
            } else {
                finalChange.remove(stored.live);
            }
            finalChanges.add(finalChange);
        }
        collection.write(null, BucketCollection.models(finalChanges));
    }

    /** Writes that store the copies; leaves out copies that another process is storing now, replaces those of a crashed one. */
    private List<WriteModel<RawBsonDocument>> storeHidden(Map<BucketId, RawBsonDocument> documents) {
        Map<BucketId, Bucket> existing = collection.read(null, documents.keySet(), false);
        long now = collection.nowMillis();
        List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
        documents.forEach((id, document) -> {
            Bucket old = existing.get(id);
            if (old == null) {
                models.add(new InsertOneModel<>(document));
            } else if (old.live.isEmpty() || !old.claimable(now).isEmpty()) {
                models.add(new ReplaceOneModel<>(old.unchanged(), document));
            }
        });
        return models;
    }
}
