package dev.jono.backend.bucketmongo;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.WriteModel;
import dev.jono.spi.InsertResult;
import dev.jono.spi.InsertResult.Item;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.StoredMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * Puts back what was taken and not handed out: into its slot, where its bucket is still there or can be made again; else
 * into a bucket of its own.
 */
final class Restores {
    private static final ReplaceOptions UPSERT = new ReplaceOptions().upsert(true);
    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

    private final BucketCollection place;

    Restores(BucketCollection place) {
        this.place = place;
    }

    InsertResult restore(RestoreRequest request) {
        List<StoredMessage> messages = request.messages();
        if (messages.isEmpty()) {
            return InsertResult.builder().build();
        }
        Set<BucketCollection.BucketId> ids = new LinkedHashSet<>();
        messages.forEach(message -> SlotAddress.candidates(message.id()).forEach(spot -> ids.add(spot.bucket())));
        InsertResult result = place.store(
                "restore",
                () -> place.memory()
                        .inserts
                        .run(
                                request.token(),
                                way -> place.backend.locks().with(ids, () -> {
                                    place.memory().buckets.forget(ids);
                                    if (!place.transactional()) {
                                        return restore(null, messages, ids);
                                    }
                                    return place.transactions()
                                            .run(
                                                    "restore",
                                                    place.queue,
                                                    session -> restore(session, messages, ids),
                                                    way);
                                })));
        place.memory().buckets.resetCandidates();
        return result;
    }

    private InsertResult restore(@Nullable ClientSession session, List<StoredMessage> messages, Set<BucketCollection.BucketId> ids) {
        List<StoredMessage> left = messages;
        while (!left.isEmpty()) {
            List<Put> puts = puts(place.read(session, ids, false), left);
            if (session != null) {
                place.write(
                        session,
                        puts.stream()
                                .<WriteModel<RawBsonDocument>>map(Put::model)
                                .toList());
                break;
            }
            // One by one: what is put back may be another's at once, and then only the answer tells that it was.
            List<StoredMessage> again = new ArrayList<>();
            for (Put put : puts) {
                if (place.write(null, List.of(put.model())) == 0) {
                    again.addAll(put.messages()); // others have changed the bucket
                }
            }
            left = again;
        }
        List<Item> items =
                messages.stream().map(message -> Item.stored(message.id())).toList();
        return InsertResult.builder()
                .items(items)
                .storageMillis(place.nowMillis())
                .build();
    }

    /** A write, and the messages that it puts back. */
    private record Put(WriteModel<RawBsonDocument> model, List<StoredMessage> messages) {}

    private List<Put> puts(Map<BucketCollection.BucketId, Bucket> there, List<StoredMessage> messages) {
        Map<BucketChange, List<StoredMessage>> drafts = new LinkedHashMap<>();
        Map<BucketCollection.BucketId, BucketChange> known = new LinkedHashMap<>();
        Map<BucketCollection.BucketId, List<StoredMessage>> again = new LinkedHashMap<>();
        List<StoredMessage> own = new ArrayList<>();
        for (StoredMessage message : messages) {
            if (SlotAddress.candidates(message.id()).stream().anyMatch(spot -> isLive(there, spot))) {
                continue; // it is there
            }
            SlotAddress home = SlotAddress.ofPushed(message.id());
            Bucket bucket = home == null ? null : there.get(home.bucket());
            if (home != null && bucket != null && fits(bucket, home, message)) {
                int tries = Math.max(0, message.tries() - bucket.tries);
                BucketChange draft = known.computeIfAbsent(home.bucket(), id -> place.change(bucket));
                draft.fill(home.slot(), slot(message, tries), tries);
                drafts.computeIfAbsent(draft, d -> new ArrayList<>()).add(message);
            } else if (home != null && bucket == null && sameDueTime(again.get(home.bucket()), message)) {
                again.computeIfAbsent(home.bucket(), id -> new ArrayList<>()).add(message);
            } else {
                own.add(message);
            }
        }
        List<Put> puts = new ArrayList<>();
        drafts.forEach((draft, some) -> puts.add(new Put(draft.model(), some)));
        again.forEach((id, some) -> {
            RawBsonDocument bucket = raw(rebuilt(id, some));
            if (BucketWriter.fits(bucket)) {
                puts.add(new Put(new InsertOneModel<>(bucket), some));
            } else {
                own.addAll(some);
            }
        });
        own.forEach(message -> puts.add(new Put(own(there, SlotAddress.ofOwnBucket(message.id()), message), List.of(message))));
        return puts;
    }

    private static boolean isLive(Map<BucketCollection.BucketId, Bucket> there, SlotAddress spot) {
        Bucket bucket = there.get(spot.bucket());
        return bucket != null && bucket.live.get(spot.slot());
    }

    private boolean fits(Bucket bucket, SlotAddress home, StoredMessage message) {
        return home.slot() < bucket.size
                && !bucket.isForeign()
                && bucket.dueMillis == message.dueMillis()
                && !bucket.heldByKeuss(place.nowMillis())
                && message.tries() >= bucket.tries;
    }

    private static boolean sameDueTime(@Nullable List<StoredMessage> others, StoredMessage message) {
        return others == null || others.get(0).dueMillis() == message.dueMillis();
    }

    private BsonDocument slot(StoredMessage message, int tries) {
        BsonDocument slot =
                BucketWriter.slot("restore", place.queue, message.id(), message.payload(), message.headers());
        return tries == 0 ? slot : slot.append(Fields.SLOT_TRIES, new BsonInt32(tries));
    }

    private WriteModel<RawBsonDocument> own(Map<BucketCollection.BucketId, Bucket> there, SlotAddress spot, StoredMessage message) {
        BsonDocument bucket = BucketWriter.own(
                spot, slot(message, 0), message.id(), message.dueMillis(), message.tries(), place.plain());
        Bucket empty = there.get(spot.bucket());
        return empty == null ? new InsertOneModel<>(raw(bucket)) : new ReplaceOneModel<>(empty.unchanged(), raw(bucket));
    }

    /** The bucket of these messages, each in its slot. */
    private BsonDocument rebuilt(BucketCollection.BucketId id, List<StoredMessage> messages) {
        int tries = messages.stream().mapToInt(StoredMessage::tries).min().orElse(0);
        int most = messages.stream().mapToInt(StoredMessage::tries).max().orElse(0) - tries;
        Map<Integer, BsonValue> slots = new HashMap<>();
        int size = 0;
        for (StoredMessage message : messages) {
            SlotAddress spot = SlotAddress.ofPushed(message.id());
            if (spot != null) {
                slots.put(spot.slot(), slot(message, message.tries() - tries));
                size = Math.max(size, spot.slot() + 1);
            }
        }
        BsonArray array = new BsonArray();
        for (int i = 0; i < size; i++) {
            array.add(slots.getOrDefault(i, BsonNull.VALUE));
        }
        BsonDocument bucket = BucketWriter.own(
                new SlotAddress(id, 0),
                new BsonDocument(),
                id.messageId(0),
                messages.get(0).dueMillis(),
                tries,
                place.plain());
        bucket.put(Fields.SLOTS, array);
        bucket.put(Fields.COUNT, new BsonInt32(slots.size()));
        if (most > 0) {
            bucket.put(Fields.MOST_TRIES, new BsonInt32(most));
        }
        return bucket;
    }

    /** Puts a bucket into a place, whatever is there. */
    static WriteModel<RawBsonDocument> upsert(BucketCollection.BucketId id, BsonDocument document) {
        return new ReplaceOneModel<>(Fields.doc(Fields.ID, id.value()), raw(document), UPSERT);
    }

    private static RawBsonDocument raw(BsonDocument document) {
        return document instanceof RawBsonDocument same ? same : new RawBsonDocument(document, DOCUMENTS);
    }
}
