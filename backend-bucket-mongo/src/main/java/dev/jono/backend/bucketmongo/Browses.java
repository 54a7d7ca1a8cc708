package dev.jono.backend.bucketmongo;

import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseResult;
import dev.jono.spi.StoredMessage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/**
 * Browses: pages through buckets by due time, and through the slots of each; or reads messages by id. Called by
 * {@link BucketQueue} on threads that may block.
 */
final class Browses {
    /** The field of a query result that holds a bucket's due time. */
    private static final String KEY = "jono_key";

    private static final int CURSOR_BATCH = 4;

    private final BucketCollection collection;

    Browses(BucketCollection collection) {
        this.collection = collection;
    }

    /** The message after which a page begins. */
    private record Cursor(long millis, SlotAddress address) {
        static @Nullable Cursor of(@Nullable String text) {
            if (text == null) {
                return null;
            }
            int comma = text.indexOf(',');
            try {
                SlotAddress address = SlotAddress.ofPushed(text.substring(comma + 1));
                if (address != null) {
                    return new Cursor(Long.parseLong(text.substring(0, Math.max(0, comma))), address);
                }
            } catch (NumberFormatException malformed) {
                // reported below
            }
            throw new IllegalArgumentException("'" + text + "' is not a cursor of this queue");
        }
    }

    BrowseResult browse(BrowseRequest request) {
        return collection.call("browse", false, () -> {
            long now = collection.nowMillis();
            List<StoredMessage> messages = request.ids().isEmpty()
                    ? page(Cursor.of(request.after()), request.limit(), now)
                    : byIds(request.ids(), now);
            return BrowseResult.builder().messages(messages).storageMillis(now).build();
        });
    }

    private List<StoredMessage> byIds(List<String> ids, long now) {
        Set<String> distinct = new LinkedHashSet<>(ids);
        List<StoredMessage> found = new ArrayList<>();
        Map<BucketId, Bucket> buckets = collection.read(null, SlotAddress.candidateBuckets(distinct), true);
        for (String id : distinct) {
            for (SlotAddress address : SlotAddress.candidates(id)) {
                Bucket bucket = buckets.get(address.bucket());
                if (bucket != null && bucket.live.get(address.slot())) {
                    found.add(browsed(bucket, address.slot(), now));
                    break;
                }
            }
        }
        return found;
    }

    private List<StoredMessage> page(@Nullable Cursor after, int limit, long now) {
        List<BsonDocument> pipeline = new ArrayList<>();
        pipeline.add(Fields.doc("$match", Fields.doc(Fields.MATURE, Fields.isDate())));
        if (collection.plain()) {
            pipeline.add(Fields.doc("$sort", Fields.doc(Fields.ID, Fields.ONE)));
            if (after != null) {
                pipeline.add(
                        0,
                        Fields.doc(
                                "$match",
                                Fields.doc(
                                        Fields.ID,
                                        Fields.doc(
                                                "$gte", after.address().bucket().value()))));
            }
        } else {
            pipeline.add(Fields.doc("$set", Fields.doc(KEY, BucketExpressions.due())));
            if (after != null) {
                pipeline.add(Fields.doc("$match", after(after)));
            }
            pipeline.add(Fields.doc("$sort", Fields.doc(KEY, Fields.ONE).append(Fields.ID, Fields.ONE)));
        }
        // Every bucket has a message, except perhaps the cursor's, which comes first, and those that keuss has emptied.
        pipeline.add(Fields.doc("$limit", new BsonInt32((int) Math.min(limit + 100L, Integer.MAX_VALUE))));
        List<StoredMessage> page = new ArrayList<>();
        try (var documents = collection
                .documents
                .aggregate(pipeline)
                .allowDiskUse(true)
                .batchSize(CURSOR_BATCH)
                .iterator()) {
            while (documents.hasNext() && page.size() < limit) {
                add(page, BucketReader.read(documents.next()), after, limit, now);
            }
        }
        return page;
    }

    private static BsonDocument after(Cursor after) {
        BsonDocument later = Fields.doc(KEY, Fields.doc("$gt", Fields.date(after.millis())));
        BsonDocument same = Fields.doc(KEY, Fields.date(after.millis()))
                .append(Fields.ID, Fields.doc("$gte", after.address().bucket().value()));
        return Fields.doc("$or", Fields.list(later, same));
    }

    private void add(List<StoredMessage> page, Bucket bucket, @Nullable Cursor after, int limit, long now) {
        int from = after != null && after.address().bucket().equals(bucket.id)
                ? after.address().slot() + 1
                : 0;
        for (int i = bucket.live.nextSetBit(from); i >= 0 && page.size() < limit; i = bucket.live.nextSetBit(i + 1)) {
            page.add(browsed(bucket, i, now));
        }
    }

    private static StoredMessage browsed(Bucket bucket, int slot, long now) {
        Slots.SlotContent content = bucket.slot(slot);
        String cursor = bucket.dueMillis + "," + bucket.id.messageId(slot);
        if (bucket.heldByKeuss(now)) {
            return bucket.message(slot, content)
                    .tries(Math.max(0, bucket.tries - 1 + content.tries()))
                    .cursor(cursor)
                    .state(StoredMessage.State.RESERVED)
                    .leaseEndMillis(bucket.matureMillis)
                    .build();
        }
        for (LeaseGroup group : bucket.groups) {
            if (group.slots().get(slot) && !group.hasEnded(now)) {
                return bucket.message(slot, content)
                        .cursor(cursor)
                        .state(StoredMessage.State.RESERVED)
                        .leaseEndMillis(group.endMillis())
                        .build();
            }
        }
        return bucket.unheldMessage(slot, content)
                .id(bucket.idOf(slot, content))
                .cursor(cursor)
                .state(bucket.dueMillis <= now ? StoredMessage.State.READY : StoredMessage.State.SCHEDULED)
                .build();
    }
}
