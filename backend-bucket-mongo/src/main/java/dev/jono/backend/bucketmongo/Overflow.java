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
 * Makes room in buckets for what claims write into them. keuss fills a bucket by the number of its messages, up to the last
 * byte that the server takes; of such a one the last messages move into buckets of their own first. Jono's own are never
 * that large.
 */
final class Overflow {
    /** What a claim adds to a bucket: less than this, and for each message less than that. */
    private static final int CLAIM_BYTES = 256;

    private static final int CLAIM_BYTES_PER_MESSAGE = 112;
    /** Of more messages not all are held one by one. */
    private static final int MAX_SINGLE_LEASES = 2048;
    /** While a message is in two places, on a server without transactions, the second is not due before this. */
    private static final long HIDDEN_MILLIS = 30_000;

    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

    private final BucketCollection collection;

    Overflow(BucketCollection collection) {
        this.collection = collection;
    }

    /** Whether not even one claim fits into a bucket: it has one message, or nearly. */
    static boolean isFull(Bucket bucket) {
        return bucket.bytes > BucketWriter.SERVER_LIMIT - CLAIM_BYTES;
    }

    /** The bytes that are to go, so that all claims fit; none if not positive. */
    private static long excessBytes(Bucket bucket) {
        return bucket.bytes + claimBytes(bucket.live.cardinality()) - BucketWriter.SERVER_LIMIT;
    }

    private static long claimBytes(int messages) {
        return CLAIM_BYTES + (long) CLAIM_BYTES_PER_MESSAGE * Math.min(messages, MAX_SINGLE_LEASES);
    }

    /** Makes room in these; says whether something has changed for it, and what is known of them is old. */
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
                collection.transactions()
                        .attempt(
                                "making room",
                                collection.queue,
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

    /** The last ones that nobody holds, so that the order stays; without those that fill a document by themselves. */
    private void choose(Bucket bucket, BitSet moved, List<RawBsonDocument> own) {
        BitSet free = bucket.unheld(collection.nowMillis());
        int first = bucket.live.nextSetBit(0);
        long missing = excessBytes(bucket);
        for (int i = free.previousSetBit(free.length()); i > first && missing > 0; i = free.previousSetBit(i - 1)) {
            missing -= moveOut(bucket, i, moved, own);
        }
        if (missing > 0 && free.get(first) && moved.cardinality() + 1 < bucket.live.cardinality()) {
            moveOut(bucket, first, moved, own);
        }
    }

    private int moveOut(Bucket bucket, int slot, BitSet moved, List<RawBsonDocument> own) {
        // They are behind what stays, in the order of their slots.
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

    /** They are stored, and not due; they are once they are gone here. A crash in between leaves two. */
    private void withoutTransaction(BucketChange change, List<RawBsonDocument> own) {
        long hiddenUntilMillis = collection.link.time().latestMillis() + HIDDEN_MILLIS;
        Map<BucketId, RawBsonDocument> hidden = new LinkedHashMap<>();
        for (RawBsonDocument document : own) {
            BsonDocument later = document.decode(DOCUMENTS);
            later.put(Fields.MATURE, Fields.date(hiddenUntilMillis));
            later.put(Fields.FREE, Fields.date(hiddenUntilMillis));
            hidden.put(BucketReader.read(document).id, new RawBsonDocument(later, DOCUMENTS));
        }
        List<WriteModel<RawBsonDocument>> models = storeHidden(hidden);
        if (models.size() < own.size()) {
            return;
        }
        boolean moved = collection.write(null, models) == own.size() && collection.writeOne(null, change.model());
        // What another process has stored is told from ours by its version.
        List<BucketChange> changes = new ArrayList<>();
        for (RawBsonDocument document : own) {
            Bucket shown = BucketReader.read(document);
            Bucket stored = BucketReader.read(Objects.requireNonNull(hidden.get(shown.id)));
            BucketChange second = collection.change(stored);
            if (moved) {
                second.reschedule(shown.dueMillis, false);
            } else {
                second.remove(stored.live);
            }
            changes.add(second);
        }
        collection.write(null, BucketCollection.models(changes));
    }

    /** Leaves out what another process stores this moment; what one has left that died of it is overwritten. */
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
