package dev.jono.backend.bucketmongo;

import com.mongodb.bulk.BulkWriteError;
import dev.jono.Capability;
import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.StorageException;
import dev.jono.UnsupportedCapabilityException;
import dev.jono.backend.bucketmongo.BucketWriter.Entry;
import dev.jono.backend.bucketmongo.BucketWriter.WrittenBucket;
import dev.jono.spi.Due;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.InsertResult.Item;
import dev.jono.spi.NewMessage;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.MessageRefusals;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.RepeatableInsert;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Inserts: stores new messages. Messages of one request with the same due time share buckets; a message with an id of its own
 * gets its own bucket. Called by {@link BucketQueue} on threads that may block. Thread-safe.
 */
final class Inserts {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono");

    private final BucketCollection collection;
    private final BucketWriter writer;

    Inserts(BucketCollection collection) {
        this.collection = collection;
        this.writer = new BucketWriter(collection);
    }

    InsertResult insert(InsertRequest request) {
        List<NewMessage> messages = request.messages();
        if (messages.isEmpty()) {
            return InsertResult.builder().build();
        }
        boolean delayed = messages.stream()
                .anyMatch(message -> message.due().absolute() || message.due().millis() > 0);
        if (delayed && collection.plain()) {
            throw new UnsupportedCapabilityException(
                    "a delayed push", collection.queueName, collection.context.type(), Capability.SCHEDULE);
        }
        RepeatableCalls<InsertResult> calls = collection.memory().inserts;
        InsertResult result = calls.run(
                request.token(), running -> collection.store("push", () -> new Insertion(request, running).run()));
        if (delayed) {
            collection.memory().buckets.resetCandidates(); // the new messages may be due before the cached candidates
        }
        return result;
    }

    /** The insertion of one request. */
    private final class Insertion {
        private final List<NewMessage> messages;
        private final RepeatableCalls.Running<InsertResult> running;
        // The same for the whole list, so that its messages keep their order.
        private final long now = collection.nowMillis();
        private final Item[] items;
        private final List<RawBsonDocument> documents = new ArrayList<>();
        /** The messages of each document. */
        private final List<List<Entry>> contents = new ArrayList<>();

        Insertion(InsertRequest request, RepeatableCalls.Running<InsertResult> running) {
            this.messages = request.messages();
            this.running = running;
            this.items = new Item[messages.size()];
        }

        InsertResult run() {
            Map<Long, List<Entry>> byDue = new LinkedHashMap<>();
            for (int i = 0; i < items.length; i++) {
                NewMessage message = messages.get(i);
                Due due = message.due();
                long mature = due.absolute() || due.millis() > 0 ? collection.dueMillis(due) : now;
                String id = message.id();
                Entry entry = new Entry(i, message.payload(), message.headers(), message.tries(), id);
                warnOfFalsyPayload(message.payload());
                if (id == null) {
                    byDue.computeIfAbsent(mature, same -> new ArrayList<>()).add(entry);
                } else {
                    write(SlotAddress.ofOwnBucket(id).bucket().value(), mature, List.of(entry));
                }
            }
            byDue.forEach((mature, entries) -> {
                List<Entry> left = entries;
                while (!left.isEmpty()) {
                    left = write(MessageIds.fresh(), mature, left);
                }
            });
            return store();
        }

        /** Encodes a bucket of the first entries; returns the entries that are left. */
        private List<Entry> write(BsonValue id, long mature, List<Entry> entries) {
            List<Entry> left = entries;
            while (!left.isEmpty()) {
                WrittenBucket bucket = writer.write(id, mature, left);
                RawBsonDocument document = bucket.document();
                if (document == null) {
                    Entry entry = left.get(bucket.count());
                    items[entry.item()] = Item.failed(MessageRefusals.notStorable(
                            "push", collection.queueName, entry.firstId(), bucket.problem()));
                    left = new ArrayList<>(left);
                    left.remove(bucket.count());
                    continue;
                }
                List<Entry> stored = left.subList(0, bucket.count());
                documents.add(document);
                contents.add(stored);
                for (int slot = 0; slot < stored.size(); slot++) {
                    String given = stored.get(slot).firstId();
                    items[stored.get(slot).item()] =
                            Item.stored(given == null ? bucket.id().messageId(slot) : given);
                }
                return left.subList(bucket.count(), left.size());
            }
            return left;
        }

        private InsertResult store() {
            skipExisting();
            if (documents.isEmpty()) {
                return result();
            }
            return new RepeatableInsert<>(
                            collection.link,
                            collection.documents,
                            collection.queueName,
                            documents,
                            this::failed,
                            this::result,
                            running)
                    .run();
        }

        /** Leaves out messages whose id names a slot that still holds a message of this id. */
        private void skipExisting() {
            List<BucketId> pushedInto = messages.stream()
                    .filter(message -> message.id() != null)
                    .map(message -> SlotAddress.ofPushed(String.valueOf(message.id())))
                    .flatMap(address -> Optional.ofNullable(address).stream())
                    .map(SlotAddress::bucket)
                    .distinct()
                    .toList();
            if (pushedInto.isEmpty()) {
                return;
            }
            Map<BucketId, Bucket> buckets = collection.read(null, pushedInto, false);
            for (int i = contents.size() - 1; i >= 0; i--) {
                Entry entry = contents.get(i).get(0);
                SlotAddress pushed = entry.firstId() == null ? null : SlotAddress.ofPushed(entry.firstId());
                Bucket bucket = pushed == null ? null : buckets.get(pushed.bucket());
                if (pushed != null && bucket != null && bucket.live.get(pushed.slot())) {
                    documents.remove(i);
                    contents.remove(i);
                    items[entry.item()] = Item.duplicate(String.valueOf(entry.firstId()));
                }
            }
        }

        private void failed(BulkWriteError error, int document) {
            for (Entry entry : contents.get(document)) {
                String id = entry.firstId();
                if (error.getCode() == MongoErrors.DUPLICATE_KEY && id != null && replacesEmpty(document, id)) {
                    continue;
                }
                items[entry.item()] = error.getCode() == MongoErrors.DUPLICATE_KEY && id != null
                        ? Item.duplicate(id)
                        : Item.failed(new StorageException(
                                "push on queue '" + collection.queueName + "' was refused by MongoDB: "
                                        + error.getMessage(),
                                collection.queueName,
                                null,
                                null));
            }
        }

        /** Stores the document in place of an empty bucket of the same id, as keuss leaves it; returns whether it did. */
        private boolean replacesEmpty(int document, String id) {
            BucketId bucketId = SlotAddress.ofOwnBucket(id).bucket();
            Bucket existing = collection.read(null, List.of(bucketId), false).get(bucketId);
            return (existing == null || existing.live.isEmpty())
                    && collection.write(null, List.of(BucketCollection.upsert(bucketId, documents.get(document)))) == 1;
        }

        private InsertResult result() {
            return InsertResult.builder()
                    .items(Arrays.asList(items))
                    .storageMillis(now)
                    .build();
        }
    }

    /** Warns once of a payload that keuss, which tests it for truth, hands out as the whole slot. */
    private void warnOfFalsyPayload(EncodedPayload payload) {
        if (payload.size() > 5 || collection.plain() || payload.kind() == PayloadKind.BYTES) {
            return;
        }
        String text = payload.text();
        boolean falsy = payload.kind() == PayloadKind.STRING
                ? text.isEmpty()
                : text.equals("0") || text.equals("false") || text.equals("\"\"") || text.equals("0.0");
        if (falsy && !collection.context.falsyPayloadWarned().getAndSet(true)) {
            LOG.warn(
                    "queue '{}': stored the {} payload '{}'; consumers with keuss would receive it inside a wrapper object",
                    collection.queueName,
                    payload.kind().label(),
                    text);
        }
    }
}
