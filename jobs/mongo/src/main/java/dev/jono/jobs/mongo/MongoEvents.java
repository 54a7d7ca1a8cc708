package dev.jono.jobs.mongo;

import static dev.jono.jobs.mongo.Fields.doc;
import static dev.jono.jobs.mongo.Fields.op;

import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.UpdateOptions;
import dev.jono.StorageException;
import dev.jono.jobs.spi.StoredEvent;
import dev.jono.support.mongo.MongoLink;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * The log of events and its readers, in one collection. An append is one document, whose {@code _id} is the number after the last one.
 * Of two writers that choose the same number, the second one chooses again. So a document becomes visible only after all documents with
 * smaller numbers, and readers miss none. The {@code _id} of a reader is a text. Blocks the calling thread; thread-safe.
 */
final class MongoEvents {
    private static final int MAX_EVENTS = 10_000;
    /** Old events are removed after this many new ones. */
    private static final int TRIM_EVENTS = 1000;

    private static final int MAX_EVENTS_OF_DOCUMENT = 200;
    private static final int MAX_CHARACTERS_OF_DOCUMENT = 1 << 20;
    private static final int ATTEMPTS = 500;
    private static final int DUPLICATE_KEY = 11000;

    /** The events of one append. */
    private static final String EVENTS = "events";
    /** The number of events in the log so far, these included. */
    private static final String TOTAL = "total";

    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);
    private static final BsonDocument LAST_FIRST = doc(Fields.ID, new BsonInt32(-1));
    private static final BsonDocument READERS = doc("$gte", new BsonString(""));
    private static final BsonDocument WITHOUT_EVENTS = doc(EVENTS, Fields.ZERO);

    private final MongoLink link;
    private final MongoCollection<RawBsonDocument> log;

    MongoEvents(MongoLink link) {
        this.link = link;
        this.log = link.collection(MongoLink.JOB_EVENTS);
    }

    /** Returns the position of the last event. */
    String listen(String reader, long leaseMillis) {
        log.deleteMany(doc(Fields.ID, READERS).append("$expr", op("$lte", until(), Fields.NOW)));
        BsonDocument own = doc(Fields.ID, new BsonString(reader));
        if (leaseMillis == 0) {
            log.deleteOne(own);
        } else {
            BsonDocument later = doc(Fields.UNTIL, op("$add", Fields.NOW, new BsonInt64(leaseMillis)));
            log.updateOne(own, List.of(doc("$set", later)), UPSERT);
        }
        BsonDocument last = last();
        return last == null ? "" : Long.toString(number(last));
    }

    private static BsonString until() {
        return new BsonString('$' + Fields.UNTIL);
    }

    private static BsonDocument numberedAfter(long number) {
        return doc(Fields.ID, doc("$gt", new BsonInt64(number)));
    }

    private static long number(BsonDocument stored) {
        return stored.getInt64(Fields.ID).getValue();
    }

    /** The last document of the log, without its events. */
    private @Nullable BsonDocument last() {
        return log.find(numberedAfter(0))
                .sort(LAST_FIRST)
                .projection(WITHOUT_EVENTS)
                .first();
    }

    boolean append(String writer, List<String> events) {
        BsonDocument others = doc(Fields.ID, READERS.clone().append("$ne", new BsonString(writer)))
                .append("$expr", op("$gt", until(), Fields.NOW));
        if (log.find(others).first() == null) {
            return false;
        }
        for (int sent = 0; sent < events.size(); ) {
            List<BsonValue> part = part(events, sent);
            trim(append(part), part.size());
            sent += part.size();
        }
        return true;
    }

    /** As many of the events, from this one on, as one document holds. */
    private static List<BsonValue> part(List<String> events, int from) {
        List<BsonValue> part = new ArrayList<>();
        long characters = 0;
        for (int i = from;
                i < events.size() && part.size() < MAX_EVENTS_OF_DOCUMENT && characters < MAX_CHARACTERS_OF_DOCUMENT;
                i++) {
            part.add(new BsonString(events.get(i)));
            characters += events.get(i).length();
        }
        return part;
    }

    /** Returns the number of events in the log so far. */
    private long append(List<BsonValue> events) {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            BsonDocument last = last();
            // A log that was dropped begins with the time, so its numbers are larger than those that readers know.
            long number = last == null ? link.time().latestMillis() : number(last) + 1;
            long total =
                    events.size() + (last == null ? 0 : last.getInt64(TOTAL).getValue());
            BsonDocument added = doc(Fields.ID, new BsonInt64(number))
                    .append(TOTAL, new BsonInt64(total))
                    .append(EVENTS, new BsonArray(events));
            try {
                log.insertOne(new RawBsonDocument(added, new BsonDocumentCodec()));
                return total;
            } catch (MongoWriteException refused) {
                if (refused.getError().getCode() != DUPLICATE_KEY) {
                    throw refused;
                }
            }
        }
        throw new StorageException(
                "appending events of jobs failed " + ATTEMPTS + " times because of other processes", null, null, null);
    }

    private void trim(long total, int added) {
        if (total / TRIM_EVENTS != (total - added) / TRIM_EVENTS) {
            log.deleteMany(numberedAfter(0).append(TOTAL, doc("$lte", new BsonInt64(total - MAX_EVENTS))));
        }
    }

    /**
     * Reads a page. A position is the number of a document, and for an event that is not its last one, a colon and the number of this
     * event in the document, from 1.
     */
    List<StoredEvent> read(String after, int max) {
        int colon = after.indexOf(':');
        long document = after.isEmpty() ? 0 : Long.parseLong(colon < 0 ? after : after.substring(0, colon));
        int known = colon < 0 ? 0 : Integer.parseInt(after.substring(colon + 1));
        List<StoredEvent> page = new ArrayList<>();
        try (MongoCursor<RawBsonDocument> found = log.find(numberedAfter(colon < 0 ? document : document - 1))
                .sort(doc(Fields.ID, Fields.ONE))
                .cursor()) {
            while (page.size() < max && found.hasNext()) {
                BsonDocument each = found.next();
                addEvents(each, number(each) == document ? known : 0, max, page);
            }
        }
        return page;
    }

    private static void addEvents(BsonDocument stored, int known, int max, List<StoredEvent> page) {
        long number = number(stored);
        List<BsonValue> events = stored.getArray(EVENTS).getValues();
        for (int i = known; i < events.size() && page.size() < max; i++) {
            String position = i == events.size() - 1 ? Long.toString(number) : number + ":" + (i + 1);
            page.add(new StoredEvent(position, events.get(i).asString().getValue()));
        }
    }
}
