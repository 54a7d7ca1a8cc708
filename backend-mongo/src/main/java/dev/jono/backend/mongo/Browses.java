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
 * Pages through a queue, or its history. What is not reserved comes from the index in the order of due times; what is
 * reserved stands there at the end of its lease, so it is sorted by itself and merged.
 */
final class Browses {
    /** Where it stands in the order of a page. */
    private static final String KEY = "jono_key";

    private final QueueCollection queue;

    Browses(QueueCollection queue) {
        this.queue = queue;
    }

    /** Where a page begins: behind a message of this time and id. */
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

    /** The consumed ones that are still to be seen; the TTL monitor deletes them about once a minute. */
    static BsonDocument visibleHistory(QueueCollection queue) {
        BsonDocument since = Fields.op("$subtract", Fields.NOW, new org.bson.BsonInt64(queue.layout.historyMillis()));
        BsonDocument filter = Fields.doc(Fields.PROCESSED, Fields.doc("$type", new BsonString("date")));
        filter.put("$expr", Fields.op("$gt", Fields.field(Fields.PROCESSED), since));
        return filter;
    }

    /** A message, and where it stands in the order of a page. */
    private record Key(long millis, BsonValue id) {
        static Key of(long millis, RawBsonDocument document) {
            return new Key(millis, Objects.requireNonNull(document.get(Fields.ID)));
        }

        String text() {
            return MessageIds.text(id);
        }
    }

    BrowseResult browse(BrowseRequest request) {
        long now = queue.link.time().nowMillis();
        boolean history = request.view() == BrowseRequest.View.HISTORY;
        BsonDocument all = history ? visibleHistory(queue) : queue.live();
        List<StoredMessage> messages = new ArrayList<>();
        if (!request.ids().isEmpty()) {
            List<BsonValue> ids = request.ids().stream().map(MessageIds::value).toList();
            found(all, ids).values().forEach(one -> messages.add(shown(one, key(one), now)));
        } else {
            Cursor after = Cursor.of(request.after());
            List<Key> page = history ? history(after, request.limit()) : live(after, request.limit());
            Map<BsonValue, StoredDocument> found = found(all, page.stream().map(Key::id).toList());
            for (Key key : page) {
                StoredDocument one = found.get(key.id());
                if (one != null) {
                    messages.add(shown(one, key.millis(), now));
                }
            }
        }
        return BrowseResult.builder().messages(messages).storageMillis(now).build();
    }

    private Map<BsonValue, StoredDocument> found(BsonDocument filter, List<BsonValue> ids) {
        Map<BsonValue, StoredDocument> found = new LinkedHashMap<>();
        BsonDocument these = filter.clone();
        these.put(Fields.ID, Fields.in(ids));
        queue.find(null, these).forEach(document -> found.put(document.get(Fields.ID), StoredDocument.read(document)));
        return found;
    }

    private static long key(StoredDocument found) {
        return found.processedMillis() == null ? found.sortDueMillis() : found.processedMillis();
    }

    private static StoredMessage shown(StoredDocument one, long key, long now) {
        StoredMessage.Builder message = one.message().cursor(key + ":" + MessageIds.text(one.id()));
        if (one.processedMillis() != null) {
            return message.state(StoredMessage.State.PROCESSED).build();
        }
        boolean due = one.matureMillis() <= now;
        if (one.reservedMillis() != null && !due) {
            return message.state(StoredMessage.State.RESERVED)
                    .tries(Math.max(0, one.tries() - 1))
                    .leaseEndMillis(one.matureMillis())
                    .build();
        }
        return message.state(due ? StoredMessage.State.READY : StoredMessage.State.SCHEDULED)
                .build();
    }

    private List<Key> live(@Nullable Cursor after, int limit) {
        BsonDocument unreserved = queue.live();
        unreserved.put(Fields.LEASE, Fields.exists(false));
        List<Key> keys = page(unreserved, Fields.MATURE, 1, after, limit);
        keys.addAll(reserved(after, limit));
        return sorted(keys, 1, after, limit);
    }

    /** As many as a page has, behind those of the cursor's own time, and all that share the time of the last one. */
    private List<Key> reserved(@Nullable Cursor after, int limit) {
        BsonDocument reserved = queue.live();
        reserved.put(Fields.LEASE, Fields.exists(true));
        List<BsonDocument> pipeline = new ArrayList<>();
        pipeline.add(Fields.doc("$match", reserved));
        pipeline.add(Fields.doc("$project", Fields.doc(KEY, Fields.dueBefore())));
        if (after != null) {
            pipeline.add(Fields.doc("$match", Fields.doc(KEY, Fields.doc("$gte", Fields.date(after.millis())))));
        }
        pipeline.add(Fields.doc("$sort", Fields.doc(KEY, Fields.ONE)));
        List<Key> keys = new ArrayList<>();
        int behind = 0;
        try (MongoCursor<RawBsonDocument> documents =
                queue.documents.aggregate(pipeline).allowDiskUse(true).cursor()) {
            while (documents.hasNext()) {
                RawBsonDocument document = documents.next();
                Key key = Key.of(Fields.millis(document, KEY), document);
                if (behind >= limit && key.millis() != keys.get(keys.size() - 1).millis()) {
                    return keys;
                }
                keys.add(key);
                behind += after != null && key.millis() == after.millis() ? 0 : 1;
            }
        }
        return keys;
    }

    private List<Key> history(@Nullable Cursor after, int limit) {
        return sorted(page(visibleHistory(queue), Fields.PROCESSED, -1, after, limit), -1, after, limit);
    }

    /**
     * Those behind a cursor in the order of a field, from its index; with all that share the time of the cursor, and of
     * the last one, as the index does not order those as we do.
     */
    private List<Key> page(BsonDocument filter, String field, int direction, @Nullable Cursor after, int limit) {
        List<Key> keys = new ArrayList<>();
        BsonDocument behind = dated(filter, field);
        if (after != null) {
            equals(filter, field, after.millis(), keys);
            behind.getDocument(field).put(direction > 0 ? "$gt" : "$lt", Fields.date(after.millis()));
        }
        List<Key> next = new ArrayList<>();
        queue.find(null, behind)
                .sort(Fields.doc(field, new BsonInt32(direction)))
                .limit(limit)
                .projection(Fields.doc(field, Fields.ONE))
                .forEach(document -> next.add(Key.of(Fields.millis(document, field), document)));
        if (next.size() == limit && limit > 0) {
            long last = next.get(limit - 1).millis();
            next.removeIf(key -> key.millis() == last);
            equals(filter, field, last, keys);
        }
        keys.addAll(next);
        return keys;
    }

    private void equals(BsonDocument filter, String field, long millis, List<Key> to) {
        BsonDocument same = dated(filter, field);
        same.getDocument(field).put("$eq", Fields.date(millis));
        queue.find(null, same)
                .projection(Fields.doc(Fields.ID, Fields.ONE))
                .forEach(document -> to.add(Key.of(millis, document)));
    }

    /** With one date in this field: an array has no place of its own in the order. */
    private static BsonDocument dated(BsonDocument filter, String field) {
        BsonDocument copy = filter.clone();
        BsonDocument noArray = Fields.doc("$not", Fields.doc("$type", new BsonString("array")));
        copy.put(field, noArray.append("$type", new BsonString("date")));
        return copy;
    }

    private static List<Key> sorted(List<Key> keys, int direction, @Nullable Cursor after, int limit) {
        Comparator<Key> order = Comparator.comparingLong(Key::millis).thenComparing(Key::text);
        Comparator<Key> directed = direction > 0 ? order : order.reversed();
        return keys.stream()
                .filter(key -> after == null || behind(key, direction, after))
                .sorted(directed)
                .limit(limit)
                .toList();
    }

    private static boolean behind(Key key, int direction, Cursor after) {
        int compared = Long.compare(key.millis(), after.millis());
        if (compared == 0) {
            compared = key.text().compareTo(after.id());
        }
        return direction * compared > 0;
    }
}
