package dev.jono.backend.bucketmongo;

import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Headers;
import dev.jono.support.mongo.MessageRefusals;
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

/** Encodes messages as buckets in keuss's layout. Used by inserts, and for messages that get their own bucket. Thread-safe. */
final class BucketWriter {
    /** The most bytes of a document. */
    static final int SERVER_LIMIT = 16 << 20;
    /** The most bytes of a message's own bucket, so that a claim can add its lease. */
    static final int MAX_OWN = SERVER_LIMIT - 512;
    /** The most bytes of a new bucket, so that a move can add the headers of a dead letter too. */
    private static final int MAX_DOCUMENT = SERVER_LIMIT - (4 << 10);
    /** A bucket of this size gets no more messages, because each change writes the whole bucket. */
    private static final int FULL_BYTES = 1 << 20;
    /** A larger payload is alone in its bucket; a smaller one has at most a few MiB as BSON, whatever it contains. */
    private static final int LARGE_PAYLOAD = 256 << 10;

    /** What a slot without headers takes in addition to its text payload. */
    private static final int SLOT_BYTES = 40;

    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

    private final int maxMessages;
    private final boolean plain;

    BucketWriter(BucketCollection collection) {
        this.maxMessages = collection.context.options().maxMessages();
        this.plain = collection.plain();
    }

    /**
     * A message to write.
     *
     * @param item its index in the request
     * @param firstId its id; null if the id is made from the slot that it gets
     */
    record Entry(
            int item,
            EncodedPayload payload,
            Headers headers,
            int tries,
            @Nullable String firstId) {}

    /**
     * An encoded bucket, or the reason why a message cannot be stored.
     *
     * @param document the bucket; null if a message cannot be stored
     * @param count the number of messages in the bucket; without a document, the index of the message that cannot be stored
     * @param problem why the message cannot be stored
     */
    record WrittenBucket(
            BucketId id,
            @Nullable RawBsonDocument document,
            int count,
            @Nullable String problem) {}

    /** Encodes a bucket of the first entries, as many as fit. */
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
            } catch (BsonSerializationException notStorable) {
                return new WrittenBucket(new BucketId(id), null, count, String.valueOf(notStorable.getMessage()));
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
            return new WrittenBucket(new BucketId(id), null, 0, MessageRefusals.tooLarge(to.size()));
        }
        return new WrittenBucket(new BucketId(id), to.document(), count, null);
    }

    /**
     * Encodes a bucket.
     *
     * @throws EncodingException if the bucket is too large
     */
    static RawBsonDocument raw(String step, String queue, String id, BsonDocument bucket) {
        RawBsonDocument raw = new RawBsonDocument(bucket, DOCUMENTS);
        int bytes = raw.getByteBuffer().remaining();
        if (bytes > MAX_OWN) {
            throw MessageRefusals.notStorable(step, queue, id, MessageRefusals.tooLarge(bytes));
        }
        return raw;
    }

    /** Whether a bucket of several messages is small enough to be stored as one document. */
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

    /** Encodes a message as a slot. */
    static BsonDocument slot(String step, String queue, String id, EncodedPayload payload, Headers headers) {
        PayloadWriter to = new PayloadWriter(payload.size() + 64);
        try {
            slot(to, new Entry(0, payload, headers, 0, null), 0);
        } catch (BsonSerializationException notStorable) {
            throw MessageRefusals.notStorable(step, queue, id, notStorable.getMessage());
        }
        return to.document().decode(DOCUMENTS);
    }

    /** The own bucket of a message that leaves its slot. */
    static BsonDocument own(Bucket bucket, int slot, long matureMillis, int moreTries, boolean plain) {
        Slots.SlotContent message = bucket.slot(slot);
        String id = bucket.idOf(slot, message);
        int tries = bucket.tries + message.tries() + moreTries;
        BsonDocument document = bucket.document(slot).decode(DOCUMENTS);
        return own(SlotAddress.ofOwnBucket(id), document, id, matureMillis, tries, plain);
    }

    /** A bucket of one message, which keeps its id. */
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
