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
 * Restores: puts taken messages back into the queue. A message returns to its slot if its bucket still exists, or if the bucket
 * can be created again; otherwise it gets its own bucket. Called by {@link BucketQueue} on threads that may block.
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
        Set<BucketId> ids = SlotAddress.candidateBuckets(
                messages.stream().map(StoredMessage::id).toList());
        InsertResult result = collection.store(
                "restore",
                () -> collection
                        .memory()
                        .inserts
                        .run(
                                request.token(),
                                running -> collection.context.locks().with(ids, () -> {
                                    collection.memory().buckets.forget(ids);
                                    if (!collection.transactional()) {
                                        return restore(null, messages, ids);
                                    }
                                    return collection
                                            .transactions()
                                            .run(
                                                    "restore",
                                                    collection.queueName,
                                                    session -> restore(session, messages, ids),
                                                    running);
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
            // One command each: another consumer may claim a restored message at once, so only the answer tells what
            // was done.
            List<StoredMessage> retried = new ArrayList<>();
            for (Put put : puts) {
                if (collection.write(null, List.of(put.model())) == 0) {
                    retried.addAll(put.messages()); // another process has changed the bucket
                }
            }
            left = retried;
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
        Map<BucketId, BucketChange> changes = new LinkedHashMap<>();
        Map<BucketChange, List<StoredMessage>> byChange = new LinkedHashMap<>();
        Map<BucketId, List<StoredMessage>> byNewBucket = new LinkedHashMap<>();
        List<StoredMessage> alone = new ArrayList<>();
        for (StoredMessage message : messages) {
            if (SlotAddress.candidates(message.id()).stream().anyMatch(address -> address.isLiveIn(buckets))) {
                continue; // already restored
            }
            SlotAddress pushed = SlotAddress.ofPushed(message.id());
            Bucket bucket = pushed == null ? null : buckets.get(pushed.bucket());
            if (pushed != null && bucket != null && fits(bucket, pushed, message)) {
                int tries = Math.max(0, message.tries() - bucket.tries);
                BucketChange change = changes.computeIfAbsent(pushed.bucket(), id -> collection.change(bucket));
                change.fill(pushed.slot(), slot(message, tries), tries);
                byChange.computeIfAbsent(change, same -> new ArrayList<>()).add(message);
            } else if (pushed != null && bucket == null && sameDueTime(byNewBucket.get(pushed.bucket()), message)) {
                byNewBucket
                        .computeIfAbsent(pushed.bucket(), id -> new ArrayList<>())
                        .add(message);
            } else {
                alone.add(message);
            }
        }
        List<Put> puts = new ArrayList<>();
        byChange.forEach((change, content) -> puts.add(new Put(change.model(), content)));
        byNewBucket.forEach((id, content) -> {
            RawBsonDocument bucket = BucketCollection.raw(rebuilt(id, content));
            if (BucketWriter.fits(bucket)) {
                puts.add(new Put(new InsertOneModel<>(bucket), content));
            } else {
                alone.addAll(content);
            }
        });
        alone.forEach(message -> puts.add(new Put(own(buckets, message), List.of(message))));
        return puts;
    }

    private boolean fits(Bucket bucket, SlotAddress address, StoredMessage message) {
        return address.slot() < bucket.size
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
                BucketWriter.slot("restore", collection.queueName, message.id(), message.payload(), message.headers());
        return tries == 0 ? slot : slot.append(Fields.SLOT_TRIES, new BsonInt32(tries));
    }

    private WriteModel<RawBsonDocument> own(Map<BucketId, Bucket> buckets, StoredMessage message) {
        SlotAddress address = SlotAddress.ofOwnBucket(message.id());
        RawBsonDocument bucket = BucketCollection.raw(BucketWriter.own(
                address, slot(message, 0), message.id(), message.dueMillis(), message.tries(), collection.plain()));
        Bucket empty = buckets.get(address.bucket());
        return empty == null ? new InsertOneModel<>(bucket) : new ReplaceOneModel<>(empty.unchanged(), bucket);
    }

    /** The bucket that held these messages, created again with each in its slot. */
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
