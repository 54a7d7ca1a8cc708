package dev.jono.backend.bucketmongo;

import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Headers;
import dev.jono.support.mongo.PayloadWriter;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonSerializationException;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/** Writes messages into buckets as keuss keeps them, as many into each as it may hold. */
final class BucketWriter {
    static final int SERVER_LIMIT = 16 << 20;
    /** Less what a claim of a bucket of one message adds. */
    static final int MAX_OWN = SERVER_LIMIT - 512;
    /** And less the headers of a dead letter. */
    private static final int MAX_DOCUMENT = SERVER_LIMIT - (4 << 10);
    /** A bucket of this size takes no more: each change of it writes it anew. */
    private static final int FULL_BYTES = 1 << 20;
    /** A larger payload is alone in its bucket; a smaller one is not above some MiB as BSON, whatever it holds. */
    private static final int LARGE_PAYLOAD = 256 << 10;

    /** What a slot has beside a payload that is a text, without headers. */
    private static final int SLOT_BYTES = 40;

    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

    private final String queue;
    private final int maxMessages;
    private final boolean plain;

    BucketWriter(BucketCollection collection) {
        this.queue = collection.queue;
        this.maxMessages = collection.context.options().maxMessages();
        this.plain = collection.plain();
    }

    /**
     * A message to be written.
     *
     * @param at its place in the request
     * @param firstId its id, where that is not its place in the bucket
     */
    record Entry(
            int at,
            EncodedPayload payload,
            Headers headers,
            int tries,
            @Nullable String firstId) {}

    /**
     * A bucket that was written, or why not.
     *
     * @param document the bucket; null if one of the messages cannot be held
     * @param count how many of the entries are in it; or which of them cannot be held
     * @param why why it cannot be held
     */
    record WrittenBucket(
            BucketId id,
            @Nullable RawBsonDocument document,
            int count,
            @Nullable String why) {}

    EncodingException refused(String step, @Nullable String id, @Nullable String why) {
        return refused(step, queue, id, why);
    }

    static EncodingException refused(String step, String queue, @Nullable String id, @Nullable String why) {
        String message = id == null ? "" : ", message " + id;
        return new EncodingException(
                step + " on queue '" + queue + "'" + message + " was refused, as MongoDB cannot hold it: " + why,
                queue,
                id,
                null);
    }

    /** Writes a bucket with the first of these; with as many as it may hold. */
    WrittenBucket write(BsonValue id, long matureMillis, List<Entry> entries) {
        int most = Math.min(maxMessages, entries.size());
        int tries = Integer.MAX_VALUE;
        long bytes = 256;
        for (int i = 0; i < most; i++) {
            tries = Math.min(tries, entries.get(i).tries());
            bytes += SLOT_BYTES + entries.get(i).payload().size();
        }
        int mostTries = 0;
        PayloadWriter to = new PayloadWriter((int) Math.min(2L * FULL_BYTES, bytes));
        var writer = to.writer();
        writer.writeStartDocument();
        to.value(Fields.ID, id);
        writer.writeStartArray(Fields.SLOTS);
        int count = 0;
        while (count < most && (count == 0 || to.size() < FULL_BYTES)) {
            Entry entry = entries.get(count);
            boolean large = entry.payload().size() > LARGE_PAYLOAD;
            if (large && count > 0) {
                break;
            }
            try {
                slot(to, entry, entry.tries() - tries);
            } catch (BsonSerializationException unholdable) {
                return new WrittenBucket(new BucketId(id), null, count, String.valueOf(unholdable.getMessage()));
            }
            mostTries = Math.max(mostTries, entry.tries() - tries);
            count++;
            if (large) {
                break;
            }
        }
        writer.writeEndArray();
        writer.writeDateTime(Fields.MATURE, matureMillis);
        writer.writeInt32(Fields.COUNT, count);
        if (tries > 0) {
            writer.writeInt32(Fields.TRIES, tries);
        }
        writer.writeInt64(Fields.VERSION, BucketChange.freshVersion());
        if (!plain) {
            writer.writeDateTime(Fields.FREE, matureMillis);
        }
        if (tries > 0) {
            writer.writeInt32(Fields.SEEN, tries);
        }
        if (mostTries > 0) {
            writer.writeInt32(Fields.MOST_TRIES, mostTries);
        }
        writer.writeEndDocument();
        if (to.size() > MAX_DOCUMENT) {
            return new WrittenBucket(new BucketId(id), null, 0, tooLarge(to.size()));
        }
        return new WrittenBucket(new BucketId(id), to.document(), count, null);
    }

    private static String tooLarge(int bytes) {
        return "its document has " + bytes + " bytes, and the limit is 16 MiB: keep large data elsewhere";
    }

    /**
     * A bucket as the driver sends it.
     *
     * @throws EncodingException if the server would refuse it
     */
    static RawBsonDocument raw(String step, String queue, String id, BsonDocument bucket) {
        RawBsonDocument raw = new RawBsonDocument(bucket, DOCUMENTS);
        int bytes = raw.getByteBuffer().remaining();
        if (bytes > MAX_OWN) {
            throw refused(step, queue, id, tooLarge(bytes));
        }
        return raw;
    }

    /** Whether a bucket of several messages is small enough to be written as a whole. */
    static boolean fits(RawBsonDocument bucket) {
        return bucket.getByteBuffer().remaining() <= MAX_DOCUMENT;
    }

    private static void slot(PayloadWriter to, Entry entry, int tries) {
        var writer = to.writer();
        writer.writeStartDocument();
        to.payload(Fields.PAYLOAD, entry.payload());
        to.headers(Fields.HEADERS, entry.headers());
        if (tries > 0) {
            writer.writeInt32(Fields.SLOT_TRIES, tries);
        }
        if (entry.firstId() != null) {
            writer.writeString(Fields.FIRST_ID, entry.firstId());
        }
        to.marks();
        writer.writeEndDocument();
    }

    /** A message as a slot. */
    static BsonDocument slot(String step, String queue, String id, EncodedPayload payload, Headers headers) {
        PayloadWriter to = new PayloadWriter(payload.size() + 64);
        try {
            slot(to, new Entry(0, payload, headers, 0, null), 0);
        } catch (BsonSerializationException unholdable) {
            throw refused(step, queue, id, unholdable.getMessage());
        }
        return to.document().decode(DOCUMENTS);
    }

    /** A message of a bucket, as a bucket by itself. */
    static BsonDocument own(Bucket bucket, int slot, long matureMillis, int moreTries, boolean plain) {
        Slots.SlotContent message = bucket.slot(slot);
        String id = bucket.idOf(slot, message);
        int tries = bucket.tries + message.tries() + moreTries;
        BsonDocument document = bucket.document(slot).decode(DOCUMENTS);
        return own(SlotAddress.ofOwnBucket(id), document, id, matureMillis, tries, plain);
    }

    /** A bucket of a message by itself, which keeps its id. */
    static BsonDocument own(
            SlotAddress address, BsonDocument slot, String messageId, long matureMillis, int tries, boolean plain) {
        slot.remove(Fields.SLOT_TRIES);
        slot.remove(Fields.FIRST_ID);
        if (!address.isNamedBy(messageId)) {
            slot.put(Fields.FIRST_ID, new BsonString(messageId));
        }
        BsonDocument document = new BsonDocument(Fields.ID, address.bucket().value())
                .append(Fields.SLOTS, new BsonArray(List.of(slot)))
                .append(Fields.MATURE, Fields.date(matureMillis))
                .append(Fields.COUNT, Fields.ONE);
        if (tries > 0) {
            document.append(Fields.TRIES, new BsonInt32(tries));
        }
        document.append(Fields.VERSION, new BsonInt64(BucketChange.freshVersion()));
        if (!plain) {
            document.append(Fields.FREE, Fields.date(matureMillis));
        }
        return tries > 0 ? document.append(Fields.SEEN, new BsonInt32(tries)) : document;
    }
}
