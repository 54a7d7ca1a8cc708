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

/** Puts new messages into a queue: those of one request that are due at the same time go into buckets together. */
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
        boolean later = messages.stream()
                .anyMatch(message -> message.due().absolute() || message.due().millis() > 0);
        if (later && collection.plain()) {
            throw new UnsupportedCapabilityException(
                    "a delayed push", collection.queue, collection.context.type(), Capability.SCHEDULE);
        }
        RepeatableCalls<InsertResult> calls = collection.memory().inserts;
        InsertResult result =
                calls.run(request.token(), way -> collection.store("push", () -> new Insertion(request, way).run()));
        if (later) {
            collection.memory().buckets.resetCandidates(); // it may be due before what was found last
        }
        return result;
    }

    /** One request on its way. */
    private final class Insertion {
        private final List<NewMessage> messages;
        private final RepeatableCalls.Way<InsertResult> way;
        // One reading for the whole list, so that it leaves in its order.
        private final long now = collection.nowMillis();
        private final Item[] items;
        private final List<RawBsonDocument> documents = new ArrayList<>();
        /** Which messages are in each of them. */
        private final List<List<Entry>> contents = new ArrayList<>();

        Insertion(InsertRequest request, RepeatableCalls.Way<InsertResult> way) {
            this.messages = request.messages();
            this.way = way;
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
                warnOfFalsy(message.payload());
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
            return stored();
        }

        /** Writes a bucket of the first of these; returns those that are left. */
        private List<Entry> write(BsonValue id, long mature, List<Entry> entries) {
            List<Entry> left = entries;
            while (!left.isEmpty()) {
                WrittenBucket bucket = writer.write(id, mature, left);
                RawBsonDocument document = bucket.document();
                if (document == null) {
                    Entry entry = left.get(bucket.count());
                    items[entry.at()] = Item.failed(writer.refused("push", entry.firstId(), bucket.why()));
                    left = new ArrayList<>(left);
                    left.remove(bucket.count());
                    continue;
                }
                List<Entry> inside = left.subList(0, bucket.count());
                documents.add(document);
                contents.add(inside);
                for (int slot = 0; slot < inside.size(); slot++) {
                    String given = inside.get(slot).firstId();
                    items[inside.get(slot).at()] =
                            Item.stored(given == null ? bucket.id().messageId(slot) : given);
                }
                return left.subList(bucket.count(), left.size());
            }
            return left;
        }

        private InsertResult stored() {
            skipExisting();
            if (documents.isEmpty()) {
                return result();
            }
            return new RepeatableInsert<>(
                            collection.link, collection.documents, collection.queue, documents, this::failed, this::result, way)
                    .run();
        }

        /** A message with a given id that is in the queue already, in the bucket that it was pushed into. */
        private void skipExisting() {
            List<BucketId> homes = messages.stream()
                    .filter(message -> message.id() != null)
                    .map(message -> SlotAddress.ofPushed(String.valueOf(message.id())))
                    .flatMap(address -> Optional.ofNullable(address).stream())
                    .map(SlotAddress::bucket)
                    .distinct()
                    .toList();
            if (homes.isEmpty()) {
                return;
            }
            Map<BucketId, Bucket> buckets = collection.read(null, homes, false);
            for (int i = contents.size() - 1; i >= 0; i--) {
                Entry entry = contents.get(i).get(0);
                SlotAddress home = entry.firstId() == null ? null : SlotAddress.ofPushed(entry.firstId());
                Bucket bucket = home == null ? null : buckets.get(home.bucket());
                if (home != null && bucket != null && bucket.live.get(home.slot())) {
                    documents.remove(i);
                    contents.remove(i);
                    items[entry.at()] = Item.duplicate(String.valueOf(entry.firstId()));
                }
            }
        }

        private void failed(BulkWriteError error, int at) {
            for (Entry entry : contents.get(at)) {
                String id = entry.firstId();
                if (error.getCode() == MongoErrors.DUPLICATE_KEY && id != null && replacesEmpty(at, id)) {
                    continue;
                }
                items[entry.at()] = error.getCode() == MongoErrors.DUPLICATE_KEY && id != null
                        ? Item.duplicate(id)
                        : Item.failed(new StorageException(
                                "push on queue '" + collection.queue + "' was refused by MongoDB: " + error.getMessage(),
                                collection.queue,
                                null,
                                null));
            }
        }

        /** Whether the bucket in its place was one that keuss has emptied; it is not there any more then. */
        private boolean replacesEmpty(int at, String id) {
            BucketId bucket = SlotAddress.ofOwnBucket(id).bucket();
            Bucket buckets = collection.read(null, List.of(bucket), false).get(bucket);
            return (buckets == null || buckets.live.isEmpty())
                    && collection.write(null, List.of(BucketCollection.upsert(bucket, documents.get(at)))) == 1;
        }

        private InsertResult result() {
            return InsertResult.builder()
                    .items(Arrays.asList(items))
                    .storageMillis(now)
                    .build();
        }
    }

    /** keuss hands such a payload out as its slot. */
    private void warnOfFalsy(EncodedPayload payload) {
        if (payload.size() > 5 || collection.plain() || payload.kind() == PayloadKind.BYTES) {
            return;
        }
        String text = payload.text();
        boolean falsy = payload.kind() == PayloadKind.STRING
                ? text.isEmpty()
                : text.equals("0") || text.equals("false") || text.equals("\"\"") || text.equals("0.0");
        if (falsy && !collection.context.falsyPayloadWarned().getAndSet(true)) {
            LOG.warn(
                    "queue '{}': the payload {} {} is stored; a consumer with keuss would get it in a wrapper",
                    collection.queue,
                    payload.kind().label(),
                    text);
        }
    }
}
