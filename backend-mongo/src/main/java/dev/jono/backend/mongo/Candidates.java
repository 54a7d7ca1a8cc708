package dev.jono.backend.mongo;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCursor;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/** Finds what could be claimed. Thread-safe. */
final class Candidates {
    /** So many bytes end a batch, as far as the sizes of the last ones tell. */
    static final long MAX_READ_BYTES = 8L << 20;

    private final QueueCollection queue;
    /** Bytes of a message, as the last ones were. */
    private volatile long typicalBytes = 1;

    Candidates(QueueCollection queue) {
        this.queue = queue;
    }

    /** What a search found, and whether it is as much as it was to find. */
    record Search(List<StoredDocument> found, boolean full) {}

    /** How many messages of the usual size to look for, where that many are wanted. */
    int limit(int wanted) {
        return (int) Math.max(1, Math.min(wanted, MAX_READ_BYTES / typicalBytes));
    }

    /** Messages were read, and are so large together. */
    void recordSize(int messages, long bytes) {
        if (messages > 0) {
            typicalBytes = Math.max(1, bytes / messages);
        }
    }

    /**
     * What is due, the earliest first.
     *
     * @param skip so many at the head are left to others
     * @param whole whether the messages are read, or only what tells them apart
     */
    Search find(int max, int skip, boolean whole) {
        ScanStart.Position begin = queue.scanStart().position();
        Search search = from(begin.millis(), max, skip, whole);
        if (!search.full() && begin.millis() != ScanStart.BEGINNING) {
            begin = queue.scanStart().reset();
            search = from(begin.millis(), max, skip, whole);
        }
        List<StoredDocument> found = search.found();
        if (search.full() && skip == 0) {
            queue.scanStart().advance(begin, found.get(found.size() - 1).matureMillis());
        }
        return search;
    }

    private Search from(long from, int max, int skip, boolean whole) {
        // With a constant the index alone can tell what is skipped; the marking asks the server's clock.
        BsonDocument filter =
                skip == 0 ? queue.dueFrom(from) : queue.dueBy(queue.link.time().nowMillis(), from);
        FindIterable<RawBsonDocument> search = queue.documents
                .find(filter)
                .sort(Fields.doc(Fields.MATURE, Fields.ONE))
                .skip(skip)
                .limit(max)
                .batchSize(max + 1);
        if (!whole) {
            search.projection(Fields.doc(Fields.MATURE, Fields.ONE)
                    .append(Fields.TRIES, Fields.ONE)
                    .append(Fields.RESERVED, Fields.ONE)
                    .append(Fields.DUE_BEFORE, Fields.ONE)
                    .append(Fields.EXACT_DUE, Fields.ONE));
        }
        List<StoredDocument> found = new ArrayList<>();
        long bytes = 0;
        try (MongoCursor<RawBsonDocument> documents = search.cursor()) {
            // Their sizes were guessed: more bytes than a batch may have are not read on.
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
