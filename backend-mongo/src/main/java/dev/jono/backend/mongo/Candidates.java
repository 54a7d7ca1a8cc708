package dev.jono.backend.mongo;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCursor;
import dev.jono.support.mongo.RepeatedReads;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/** Finds due messages that a take or a claim may mark. Blocks the calling thread; thread-safe. */
final class Candidates {
    /** A batch ends at about this size, as far as the sizes of earlier messages tell. */
    static final long MAX_READ_BYTES = 8L << 20;

    private final QueueCollection queue;
    /** The average size of the messages that were read last. */
    private volatile long typicalBytes = 1;

    Candidates(QueueCollection queue) {
        this.queue = queue;
    }

    /**
     * What a search found.
     *
     * @param full whether more messages may be due
     */
    record Search(List<StoredDocument> found, boolean full) {}

    /** Limits the number of messages of one call, by their typical size. */
    int limit(int demand) {
        return (int) Math.max(1, Math.min(demand, MAX_READ_BYTES / typicalBytes));
    }

    /** Learns the typical size from messages that were read. */
    void recordSize(int messages, long bytes) {
        if (messages > 0) {
            typicalBytes = Math.max(1, bytes / messages);
        }
    }

    /**
     * Finds due messages, the earliest first.
     *
     * @param skip how many messages at the head to leave to others
     * @param whole whether to read whole messages, or only what a claim needs to know
     */
    Search find(int max, int skip, boolean whole) {
        ScanStart.Position start = queue.scanStart().position();
        Search search = search(start, max, skip, whole);
        if (!search.full() && start.millis() != ScanStart.BEGINNING) {
            start = queue.scanStart().reset();
            search = search(start, max, skip, whole);
        }
        List<StoredDocument> found = search.found();
        if (search.full() && skip == 0) {
            queue.scanStart().advance(start, found.get(found.size() - 1).matureMillis());
        }
        return search;
    }

    private Search search(ScanStart.Position start, int max, int skip, boolean whole) {
        return RepeatedReads.run(() -> read(start.millis(), max, skip, whole));
    }

    private Search read(long fromMillis, int max, int skip, boolean whole) {
        // With a constant time, the index alone decides what is skipped. The marking checks the server's clock.
        BsonDocument filter = skip == 0
                ? queue.dueFrom(fromMillis)
                : queue.dueBy(queue.link.time().nowMillis(), fromMillis);
        FindIterable<RawBsonDocument> search = queue.documents
                .find(filter)
                .sort(Fields.doc(queue.dueField, Fields.ONE))
                .skip(skip)
                .limit(max)
                .batchSize(max + 1);
        if (!whole) {
            search.projection(Fields.doc(queue.dueField, Fields.ONE)
                    .append(Fields.TRIES, Fields.ONE)
                    .append(Fields.RESERVED, Fields.ONE)
                    .append(Fields.DUE_BEFORE, Fields.ONE)
                    .append(Fields.EXACT_DUE, Fields.ONE)
                    .append(Fields.RELEASED_BY, Fields.ONE)
                    .append(Fields.KEY, Fields.ONE)
                    .append(Fields.LATER, Fields.ONE)
                    .append(Fields.LEADS, Fields.ONE));
        }
        List<StoredDocument> found = new ArrayList<>();
        long bytes = 0;
        try (MongoCursor<RawBsonDocument> documents = search.cursor()) {
            // The limit was estimated: stop when the messages are larger than a batch may be.
            while (bytes < MAX_READ_BYTES && documents.hasNext()) {
                RawBsonDocument document = documents.next();
                bytes += document.getByteBuffer().remaining();
                found.add(StoredDocument.read(document));
            }
        }
        if (whole) {
            recordSize(found.size(), bytes);
        }
        return new Search(found, found.size() == max || bytes >= MAX_READ_BYTES);
    }
}
