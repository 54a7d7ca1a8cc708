package dev.jono.backend.mongo;

import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.MessageIds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Pages through a queue, or its history. What is not reserved comes from the index in the order of due times; what is
 * reserved stands there at the end of its lease, so it is sorted by itself and merged.
 */
final class Browsing {
    private final Place place;

    Browsing(Place place) {
        this.place = place;
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
    static BsonDocument kept(Place place) {
        BsonDocument since = Fields.op("$subtract", Fields.NOW, new org.bson.BsonInt64(place.layout.historyMillis()));
        BsonDocument filter = Fields.doc(Fields.PROCESSED, Fields.doc("$type", new BsonString("date")));
        filter.put("$expr", Fields.op("$gt", Fields.field(Fields.PROCESSED), since));
        return filter;
    }

    BrowseResult browse(BrowseRequest request) {
        long now = place.link.time().nowMillis();
        List<Found> found;
        boolean history = request.view() == BrowseRequest.View.HISTORY;
        if (!request.ids().isEmpty()) {
            found = new ArrayList<>();
            place.find(
                            null,
                            place.live(request.ids().stream()
                                    .map(MessageIds::value)
                                    .toList()))
                    .forEach(document -> found.add(Found.read(document)));
        } else {
            Cursor after = Cursor.of(request.after());
            found = history ? history(after, request.limit()) : live(after, request.limit());
        }
        List<StoredMessage> messages = found.stream()
                .map(one -> shown(one, history ? one.processedMillis() : key(one), now))
                .toList();
        return BrowseResult.builder().messages(messages).storageMillis(now).build();
    }

    private static long key(Found found) {
        return found.reservedMillis() > 0 && found.dueMillis() > 0 ? found.dueMillis() : found.matureMillis();
    }

    private static StoredMessage shown(Found one, long key, long now) {
        StoredMessage.Builder message = one.message().cursor(key + ":" + MessageIds.text(one.id()));
        if (one.processedMillis() > 0) {
            return message.state(StoredMessage.State.PROCESSED).build();
        }
        boolean due = one.matureMillis() <= now;
        if (one.reservedMillis() > 0 && !due) {
            return message.state(StoredMessage.State.RESERVED)
                    .tries(Math.max(0, one.tries() - 1))
                    .leaseEndMillis(one.matureMillis())
                    .build();
        }
        return message.state(due ? StoredMessage.State.READY : StoredMessage.State.SCHEDULED)
                .build();
    }

    private List<Found> live(@Nullable Cursor after, int limit) {
        BsonDocument unreserved = place.live();
        unreserved.put(Fields.LEASE, Fields.exists(false));
        List<Found> all = page(unreserved, Fields.MATURE, 1, after, limit);
        BsonDocument reserved = place.live();
        reserved.put(Fields.LEASE, Fields.exists(true));
        List<BsonDocument> pipeline = new ArrayList<>();
        pipeline.add(Fields.doc("$match", reserved));
        pipeline.add(Fields.doc("$set", Fields.doc("jono_key", Fields.dueBefore())));
        if (after != null) {
            pipeline.add(Fields.doc("$match", Fields.doc("jono_key", Fields.doc("$gte", Fields.date(after.millis())))));
        }
        pipeline.add(Fields.doc("$sort", Fields.doc("jono_key", Fields.ONE).append(Fields.ID, Fields.ONE)));
        // Those of the cursor's own time that stand before it are dropped below.
        pipeline.add(Fields.doc("$limit", new BsonInt32((int) Math.min(limit + 1000L, Integer.MAX_VALUE))));
        place.collection.aggregate(pipeline).allowDiskUse(true).forEach(document -> all.add(Found.read(document)));
        return sorted(all, Browsing::key, 1, after, limit);
    }

    private List<Found> history(@Nullable Cursor after, int limit) {
        return sorted(page(kept(place), Fields.PROCESSED, -1, after, limit), Found::processedMillis, -1, after, limit);
    }

    /**
     * Those behind a cursor in the order of a field, from its index; with all that share the time of the cursor, and of
     * the last one, as the index does not order those as we do.
     */
    private List<Found> page(BsonDocument filter, String field, int direction, @Nullable Cursor after, int limit) {
        List<Found> found = new ArrayList<>();
        BsonDocument behind = dated(filter, field);
        if (after != null) {
            equals(filter, field, after.millis(), found);
            behind.getDocument(field).put(direction > 0 ? "$gt" : "$lt", Fields.date(after.millis()));
        }
        List<RawBsonDocument> documents = place.find(null, behind)
                .sort(Fields.doc(field, new BsonInt32(direction)))
                .limit(limit)
                .into(new ArrayList<>());
        if (documents.size() == limit && limit > 0) {
            long last = documents.get(limit - 1).getDateTime(field).getValue();
            documents.removeIf(document -> document.getDateTime(field).getValue() == last);
            equals(filter, field, last, found);
        }
        documents.forEach(document -> found.add(Found.read(document)));
        return found;
    }

    private void equals(BsonDocument filter, String field, long millis, List<Found> to) {
        BsonDocument same = dated(filter, field);
        same.getDocument(field).put("$eq", Fields.date(millis));
        place.find(null, same).forEach(document -> to.add(Found.read(document)));
    }

    /** With one date: an array has no place of its own in the order. */
    private static BsonDocument dated(BsonDocument filter, String field) {
        BsonDocument copy = filter.clone();
        copy.put(
                field,
                Fields.doc("$type", new BsonString("date"))
                        .append("$not", Fields.doc("$type", new BsonString("array"))));
        return copy;
    }

    private static List<Found> sorted(
            List<Found> found, ToLongFunction<Found> key, int direction, @Nullable Cursor after, int limit) {
        Comparator<Found> order = Comparator.comparingLong(key).thenComparing(one -> MessageIds.text(one.id()));
        Comparator<Found> directed = direction > 0 ? order : order.reversed();
        return found.stream()
                .filter(one -> after == null || behind(one, key, direction, after))
                .sorted(directed)
                .limit(limit)
                .toList();
    }

    private static boolean behind(Found one, ToLongFunction<Found> key, int direction, Cursor after) {
        int compared = Long.compare(key.applyAsLong(one), after.millis());
        if (compared == 0) {
            compared = MessageIds.text(one.id()).compareTo(after.id());
        }
        return direction * compared > 0;
    }
}
