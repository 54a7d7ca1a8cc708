package dev.jono.backend.bucketmongo;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.support.mongo.PayloadReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import org.bson.BsonBinaryReader;
import org.bson.BsonType;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** The slots of a bucket as they were read. A message is decoded when it is asked for. Immutable and thread-safe. */
final class Slots {
    private static final byte[] NAME = (Fields.PAYLOAD + '\0').getBytes(StandardCharsets.US_ASCII);

    private final byte[] bytes;
    private final BitSet live = new BitSet();
    private BsonType[] types = new BsonType[16];
    private int[] begins = new int[16];
    private int[] ends = new int[16];
    private int size;

    /** Reads the slots of an array at which the reader stands; the bytes are those of the whole document. */
    Slots(byte[] bytes, BsonBinaryReader from) {
        this.bytes = bytes;
        from.readStartArray();
        for (BsonType type = from.readBsonType(); type != BsonType.END_OF_DOCUMENT; type = from.readBsonType()) {
            int begin = from.getBsonInput().getPosition();
            from.skipValue();
            add(type, begin, from.getBsonInput().getPosition());
        }
        from.readEndArray();
    }

    private void add(BsonType type, int begin, int end) {
        if (size == types.length) {
            types = Arrays.copyOf(types, 2 * size);
            begins = Arrays.copyOf(begins, 2 * size);
            ends = Arrays.copyOf(ends, 2 * size);
        }
        if (type != BsonType.NULL && type != BsonType.UNDEFINED) {
            live.set(size);
        }
        types[size] = type;
        begins[size] = begin;
        ends[size++] = end;
    }

    int size() {
        return size;
    }

    /** The size of a slot's value. */
    int bytes(int index) {
        return ends[index] - begins[index];
    }

    /** The slots that hold a message. */
    BitSet live() {
        return (BitSet) live.clone();
    }

    /**
     * The content of a slot.
     *
     * @param tries deliveries in addition to the bucket's
     * @param firstId the id of the message; null if it is made from the slot
     * @param fault why this is no message; null if it is one
     */
    record SlotContent(
            EncodedPayload payload,
            Headers headers,
            int tries,
            @Nullable String firstId,
            @Nullable String fault) {}

    /** Decodes a slot. A document without a payload field is a bare payload, like any value that is no document. */
    SlotContent read(int index) {
        if (types[index] == BsonType.DOCUMENT) {
            SlotContent slot = read(new RawBsonDocument(bytes, begins[index], ends[index] - begins[index]), false);
            if (slot != null) {
                return slot;
            }
        }
        SlotContent bare = read(new RawBsonDocument(wrapped(index)), true);
        if (bare == null) {
            throw new IllegalStateException("a wrapped payload must be readable");
        }
        return bare;
    }

    /** The slot as a document with a payload field; a bare payload is wrapped. */
    RawBsonDocument document(int index) {
        return bare(index)
                ? new RawBsonDocument(wrapped(index))
                : new RawBsonDocument(bytes, begins[index], ends[index] - begins[index]);
    }

    /** Whether the slot holds a bare payload, without a wrapper document. */
    boolean bare(int index) {
        return types[index] != BsonType.DOCUMENT
                || !new RawBsonDocument(bytes, begins[index], ends[index] - begins[index]).containsKey(Fields.PAYLOAD);
    }

    private byte[] wrapped(int index) {
        int length = ends[index] - begins[index];
        ByteBuffer document =
                ByteBuffer.allocate(4 + 1 + NAME.length + length + 1).order(ByteOrder.LITTLE_ENDIAN);
        document.putInt(document.capacity()).put((byte) types[index].getValue()).put(NAME);
        return document.put(bytes, begins[index], length).put((byte) 0).array();
    }

    private static @Nullable SlotContent read(RawBsonDocument document, boolean bare) {
        try (PayloadReader from = new PayloadReader(document)) {
            Headers headers = Headers.empty();
            long tries = 0;
            String firstId = null;
            BsonBinaryReader reader = from.reader();
            reader.readStartDocument();
            for (BsonType type = reader.readBsonType();
                    type != BsonType.END_OF_DOCUMENT;
                    type = reader.readBsonType()) {
                String name = reader.readName();
                switch (name) {
                    case Fields.PAYLOAD -> from.payload();
                    case Fields.HEADERS -> headers = from.headers(type);
                    case Fields.SLOT_TRIES -> tries = from.number(type);
                    case Fields.FIRST_ID -> {
                        if (type == BsonType.STRING) {
                            firstId = reader.readString();
                        } else {
                            reader.skipValue();
                        }
                    }
                    default -> from.mark(name, type);
                }
            }
            if (!from.hasPayload() && !bare) {
                return null;
            }
            int counted = (int) Math.max(0, Math.min(tries, Integer.MAX_VALUE));
            return new SlotContent(from.decoded(), headers, counted, firstId, null);
        }
    }
}
