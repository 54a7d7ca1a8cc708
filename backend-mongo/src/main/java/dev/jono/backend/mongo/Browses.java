package dev.jono.backend.mongo;

import com.mongodb.client.MongoCursor;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.MessageIds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Browses a queue or its history page by page. Messages that are not reserved are read from the index of due times. In
 * that index a reserved message stands at the end of its lease, so reserved messages are sorted by their earlier due
 * times and merged. Blocked messages of a keyed queue have an index of their own. Blocks the calling thread;
 * thread-safe.
 */
final class Browses {
    /** The field in which a query returns the time by which a page is sorted. */
    private static final String KEY = "jono_key";

    private static final int ASCENDING = 1;
    private static final int DESCENDING = -1;

    private final QueueCollection queue;

    Browses(QueueCollection queue) {
        this.queue = queue;
    }

    /** The message before a page: the page starts after this time and id. */
    private record Cursor(long millis, String id) {
        static @Nullable Cursor of(@Nullable String text) {
            if (text == null) {
                return null;
            }
            int colon = text.indexOf(':');
            try {
                return new Cursor(Long.parseLong(text.substring(0, Math.max(0, colon))), text.substring(colon + 1));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("'" + text + "' is no cursor of this queue", e);
            }
        }
    }

    /** The position of a message in the order of a page. */
    private record Key(long millis, BsonValue id) {
        static Key of(long millis, RawBsonDocument document) {
            return new Key(millis, Objects.requireNonNull(document.get(Fields.ID)));
        }

        String text() {
            return MessageIds.text(id);
        }
    }

    BrowseResult browse(BrowseRequest request) {
        return queue.call("browse", false, () -> page(request));
    }

    private BrowseResult page(BrowseRequest request) {
        long now = queue.link.time().nowMillis();
        boolean history = request.view() == BrowseRequest.View.HISTORY;
        BsonDocument all = history ? History.visible(queue.layout) : queue.live();
        List<StoredMessage> messages = new ArrayList<>();
        if (!request.ids().isEmpty()) {
            List<BsonValue> ids = request.ids().stream().map(MessageIds::value).toList();
            read(all, ids).values().forEach(document -> messages.add(message(document, sortMillis(document), now)));
        } else {
            fill(messages, request, all, now);
        }
        return BrowseResult.builder().messages(messages).storageMillis(now).build();
    }

    /** Reads on for messages that were consumed between the two reads: callers take a page that is not full for the last one. */
    private void fill(List<StoredMessage> messages, BrowseRequest request, BsonDocument all, long now) {
        boolean history = request.view() == BrowseRequest.View.HISTORY;
        Cursor after = Cursor.of(request.after());
        boolean more = true;
        while (more) {
            int missing = request.limit() - messages.size();
            List<Key> page = history ? history(after, missing) : live(after, missing);
            Map<BsonValue, StoredDocument> documents =
                    read(all, page.stream().map(Key::id).toList());
            for (Key key : page) {
                StoredDocument document = documents.get(key.id());
                if (document != null) {
                    messages.add(message(document, key.millis(), now));
                }
                after = new Cursor(key.millis(), key.text());
            }
            more = page.size() == missing && messages.size() < request.limit();
        }
    }

    private Map<BsonValue, StoredDocument> read(BsonDocument filter, List<BsonValue> ids) {
        Map<BsonValue, StoredDocument> documents = new LinkedHashMap<>();
        BsonDocument withIds = filter.clone();
        withIds.put(Fields.ID, Fields.in(ids));
        queue.find(null, withIds)
                .forEach(document -> documents.put(document.get(Fields.ID), StoredDocument.read(document)));
        return documents;
    }

    private static long sortMillis(StoredDocument document) {
        return document.processedMillis() == null ? document.sortDueMillis() : document.processedMillis();
    }

    private static StoredMessage message(StoredDocument document, long sortMillis, long now) {
        StoredMessage.Builder message = document.message().cursor(sortMillis + ":" + MessageIds.text(document.id()));
        if (document.processedMillis() != null) {
            return message.state(StoredMessage.State.PROCESSED).build();
        }
        if (document.blockedMillis() != null) {
            return message.state(StoredMessage.State.BLOCKED).build();
        }
        boolean due = document.matureMillis() <= now;
        if (document.reservedMillis() != null && !due) {
            return message.state(StoredMessage.State.RESERVED)
                    .tries(Math.max(0, document.tries() - 1))
                    .leaseEndMillis(document.matureMillis())
                    .build();
        }
        return message.state(due ? StoredMessage.State.READY : StoredMessage.State.SCHEDULED)
                .build();
    }

    private List<Key> live(@Nullable Cursor after, int limit) {
        BsonDocument notReserved = queue.live();
        notReserved.put(Fields.LEASE, Fields.exists(false));
        List<Key> keys = keys(notReserved, queue.dueField, ASCENDING, after, limit);
        keys.addAll(reserved(after, limit));
        if (queue.layout.maxPerKey() > 0) {
            keys.addAll(keys(queue.live(), Fields.BLOCKED, ASCENDING, after, limit));
        }
        return page(keys, ASCENDING, after, limit);
    }

    /** A page of reserved messages from the cursor's time on, with all that have the time of the last one. */
    private List<Key> reserved(@Nullable Cursor after, int limit) {
        BsonDocument reserved = queue.live();
        reserved.put(Fields.LEASE, Fields.exists(true));
        List<BsonDocument> pipeline = new ArrayList<>();
        pipeline.add(Fields.doc("$match", reserved));
        pipeline.add(Fields.doc("$project", Fields.doc(KEY, Fields.dueBefore(queue.dueField))));
        if (after != null) {
            pipeline.add(Fields.doc("$match", Fields.doc(KEY, Fields.doc("$gte", Fields.date(after.millis())))));
        }
        pipeline.add(Fields.doc("$sort", Fields.doc(KEY, Fields.ONE)));
        List<Key> keys = new ArrayList<>();
        int afterCursor = 0;
        try (MongoCursor<RawBsonDocument> documents =
                queue.documents.aggregate(pipeline).allowDiskUse(true).cursor()) {
            while (documents.hasNext()) {
                RawBsonDocument document = documents.next();
                Key key = Key.of(Fields.millis(document, KEY), document);
                if (afterCursor >= limit
                        && key.millis() != keys.get(keys.size() - 1).millis()) {
                    return keys;
                }
                keys.add(key);
                afterCursor += after != null && key.millis() == after.millis() ? 0 : 1;
            }
        }
        return keys;
    }

    private List<Key> history(@Nullable Cursor after, int limit) {
        List<Key> keys = keys(History.visible(queue.layout), Fields.PROCESSED, DESCENDING, after, limit);
        return page(keys, DESCENDING, after, limit);
    }

    /**
     * The messages after a cursor in the order of a field, read from its index. It includes all messages that have the
     * time of the cursor or of the last message, because the index does not sort messages with the same time as a page
     * does.
     */
    private List<Key> keys(BsonDocument filter, String field, int direction, @Nullable Cursor after, int limit) {
        List<Key> keys = new ArrayList<>();
        BsonDocument afterCursor = withDate(filter, field);
        if (after != null) {
            addWithTime(filter, field, after.millis(), keys);
            afterCursor.getDocument(field).put(direction == ASCENDING ? "$gt" : "$lt", Fields.date(after.millis()));
        }
        List<Key> next = new ArrayList<>();
        queue.find(null, afterCursor)
                .sort(Fields.doc(field, new BsonInt32(direction)))
                .limit(limit)
                .projection(Fields.doc(field, Fields.ONE))
                .forEach(document -> next.add(Key.of(Fields.millis(document, field), document)));
        if (next.size() == limit && limit > 0) {
            long last = next.get(limit - 1).millis();
            next.removeIf(key -> key.millis() == last);
            addWithTime(filter, field, last, keys);
        }
        keys.addAll(next);
        return keys;
    }

    private void addWithTime(BsonDocument filter, String field, long millis, List<Key> to) {
        BsonDocument same = withDate(filter, field);
        same.getDocument(field).put("$eq", Fields.date(millis));
        queue.find(null, same)
                .projection(Fields.doc(Fields.ID, Fields.ONE))
                .forEach(document -> to.add(Key.of(millis, document)));
    }

    /**
     * Restricts a filter to documents with a single date in a field: an array has no position of its own in the order.
     */
    private static BsonDocument withDate(BsonDocument filter, String field) {
        BsonDocument copy = filter.clone();
        BsonDocument noArray = Fields.doc("$not", Fields.doc("$type", new BsonString("array")));
        copy.put(field, noArray.append("$type", new BsonString("date")));
        return copy;
    }

    private static List<Key> page(List<Key> keys, int direction, @Nullable Cursor after, int limit) {
        Comparator<Key> order = Comparator.comparingLong(Key::millis).thenComparing(Key::text);
        Comparator<Key> directed = direction == ASCENDING ? order : order.reversed();
        return keys.stream()
                .filter(key -> after == null || isAfter(key, direction, after))
                .sorted(directed)
                .limit(limit)
                .toList();
    }

    private static boolean isAfter(Key key, int direction, Cursor cursor) {
        int compared = Long.compare(key.millis(), cursor.millis());
        if (compared == 0) {
            compared = key.text().compareTo(cursor.id());
        }
        return direction * compared > 0;
    }
}
