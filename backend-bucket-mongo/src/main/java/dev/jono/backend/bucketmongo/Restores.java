package dev.jono.backend.bucketmongo;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
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
import org.jspecify.annotations.Nullable;

/**
 * Puts back what was taken and not handed out: into its slot, where its bucket is still there or can be made again; else
 * into a bucket of its own.
 */
final class Restores {
    private final BucketCollection collection;

    Restores(BucketCollection collection) {
        this.collection = collection;
    }

    InsertResult restore(RestoreRequest request) {
        List<StoredMessage> messages = request.messages();
        if (messages.isEmpty()) {
            return InsertResult.builder().build();
        }
        Set<BucketId> ids = new LinkedHashSet<>();
        messages.forEach(message -> SlotAddress.candidates(message.id()).forEach(address -> ids.add(address.bucket())));
        InsertResult result = collection.store(
                "restore",
                () -> collection.memory()
                        .inserts
                        .run(
                                request.token(),
                                way -> collection.context.locks().with(ids, () -> {
                                    collection.memory().buckets.forget(ids);
                                    if (!collection.transactional()) {
                                        return restore(null, messages, ids);
                                    }
                                    return collection.transactions()
                                            .run(
                                                    "restore",
                                                    collection.queue,
                                                    session -> restore(session, messages, ids),
                                                    way);
                                })));
        collection.memory().buckets.resetCandidates();
        return result;
    }

    private InsertResult restore(@Nullable ClientSession session, List<StoredMessage> messages, Set<BucketId> ids) {
        List<StoredMessage> left = messages;
        while (!left.isEmpty()) {
            List<Put> puts = puts(collection.read(session, ids, false), left);
            if (session != null) {
                collection.write(
                        session,
                        puts.stream()
                                .<WriteModel<RawBsonDocument>>map(Put::model)
                                .toList());
                break;
            }
            // One by one: what is put back may be another's at once, and then only the answer tells that it was.
            List<StoredMessage> again = new ArrayList<>();
            for (Put put : puts) {
                if (collection.write(null, List.of(put.model())) == 0) {
                    again.addAll(put.messages()); // others have changed the bucket
                }
            }
            left = again;
        }
        List<Item> items =
                messages.stream().map(message -> Item.stored(message.id())).toList();
        return InsertResult.builder()
                .items(items)
                .storageMillis(collection.nowMillis())
                .build();
    }

    /** A write, and the messages that it puts back. */
    private record Put(WriteModel<RawBsonDocument> model, List<StoredMessage> messages) {}

    private List<Put> puts(Map<BucketId, Bucket> buckets, List<StoredMessage> messages) {
        Map<BucketChange, List<StoredMessage>> changes = new LinkedHashMap<>();
        Map<BucketId, BucketChange> known = new LinkedHashMap<>();
        Map<BucketId, List<StoredMessage>> again = new LinkedHashMap<>();
        List<StoredMessage> own = new ArrayList<>();
        for (StoredMessage message : messages) {
            if (SlotAddress.candidates(message.id()).stream().anyMatch(address -> isLive(buckets, address))) {
                continue; // it is there
            }
            SlotAddress home = SlotAddress.ofPushed(message.id());
            Bucket bucket = home == null ? null : buckets.get(home.bucket());
            if (home != null && bucket != null && fits(bucket, home, message)) {
                int tries = Math.max(0, message.tries() - bucket.tries);
                BucketChange change = known.computeIfAbsent(home.bucket(), id -> collection.change(bucket));
                change.fill(home.slot(), slot(message, tries), tries);
                changes.computeIfAbsent(change, d -> new ArrayList<>()).add(message);
            } else if (home != null && bucket == null && sameDueTime(again.get(home.bucket()), message)) {
                again.computeIfAbsent(home.bucket(), id -> new ArrayList<>()).add(message);
            } else {
                own.add(message);
            }
        }
        List<Put> puts = new ArrayList<>();
        changes.forEach((change, some) -> puts.add(new Put(change.model(), some)));
        again.forEach((id, some) -> {
            RawBsonDocument bucket = BucketCollection.raw(rebuilt(id, some));
            if (BucketWriter.fits(bucket)) {
                puts.add(new Put(new InsertOneModel<>(bucket), some));
            } else {
                own.addAll(some);
            }
        });
        own.forEach(message -> puts.add(new Put(own(buckets, SlotAddress.ofOwnBucket(message.id()), message), List.of(message))));
        return puts;
    }

    private static boolean isLive(Map<BucketId, Bucket> buckets, SlotAddress address) {
        Bucket bucket = buckets.get(address.bucket());
        return bucket != null && bucket.live.get(address.slot());
    }

    private boolean fits(Bucket bucket, SlotAddress home, StoredMessage message) {
        return home.slot() < bucket.size
                && !bucket.isForeign()
                && bucket.dueMillis == message.dueMillis()
                && !bucket.heldByKeuss(collection.nowMillis())
                && message.tries() >= bucket.tries;
    }

    private static boolean sameDueTime(@Nullable List<StoredMessage> others, StoredMessage message) {
        return others == null || others.get(0).dueMillis() == message.dueMillis();
    }

    private BsonDocument slot(StoredMessage message, int tries) {
        BsonDocument slot =
                BucketWriter.slot("restore", collection.queue, message.id(), message.payload(), message.headers());
        return tries == 0 ? slot : slot.append(Fields.SLOT_TRIES, new BsonInt32(tries));
    }

    private WriteModel<RawBsonDocument> own(Map<BucketId, Bucket> buckets, SlotAddress address, StoredMessage message) {
        BsonDocument bucket = BucketWriter.own(
                address, slot(message, 0), message.id(), message.dueMillis(), message.tries(), collection.plain());
        Bucket empty = buckets.get(address.bucket());
        return empty == null ? new InsertOneModel<>(BucketCollection.raw(bucket)) : new ReplaceOneModel<>(empty.unchanged(), BucketCollection.raw(bucket));
    }

    /** The bucket of these messages, each in its slot. */
    private BsonDocument rebuilt(BucketId id, List<StoredMessage> messages) {
        int tries = messages.stream().mapToInt(StoredMessage::tries).min().orElse(0);
        int most = messages.stream().mapToInt(StoredMessage::tries).max().orElse(0) - tries;
        Map<Integer, BsonValue> slots = new HashMap<>();
        int size = 0;
        for (StoredMessage message : messages) {
            SlotAddress address = SlotAddress.ofPushed(message.id());
            if (address != null) {
                slots.put(address.slot(), slot(message, message.tries() - tries));
                size = Math.max(size, address.slot() + 1);
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
                collection.plain());
        bucket.put(Fields.SLOTS, array);
        bucket.put(Fields.COUNT, new BsonInt32(slots.size()));
        if (most > 0) {
            bucket.put(Fields.MOST_TRIES, new BsonInt32(most));
        }
        return bucket;
    }
}
