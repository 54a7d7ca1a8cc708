package dev.jono.support.mongo;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bson.BsonBinary;
import org.bson.BsonBinaryReader;
import org.bson.BsonObjectId;
import org.bson.BsonReaderMark;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonValueCodec;
import org.bson.codecs.DecoderContext;
import org.bson.io.ByteBufferBsonInput;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents of {@link PayloadWriter} and of keuss. Fields may come in any order, so it remembers the position of
 * the payload and decodes it at the end, when the further fields are known. Not thread-safe.
 */
public final class PayloadReader implements AutoCloseable {
    private static final EncodedPayload NULL =
            EncodedPayload.of(PayloadKind.JSON, "null".getBytes(StandardCharsets.US_ASCII));

    private static final BsonValueCodec ANY = new BsonValueCodec();

    private final RawBsonDocument document;
    private final BsonBinaryReader reader;
    private @Nullable BsonReaderMark payload;
    private int start;
    private int end;
    private @Nullable String kind;
    private byte @Nullable [] exact;
    private long digest;

    /** Starts to read a document. */
    public PayloadReader(RawBsonDocument document) {
        this.document = document;
        ByteBuf bytes = document.getByteBuffer();
        this.reader = new BsonBinaryReader(new ByteBufferBsonInput(bytes));
    }

    /** The reader for all other fields. */
    public BsonBinaryReader reader() {
        return reader;
    }

    /** Remembers the payload at which the reader stands, and skips it. */
    public void payload() {
        payload = reader.getMark();
        start = reader.getBsonInput().getPosition();
        reader.skipValue();
        end = reader.getBsonInput().getPosition();
    }

    /**
     * Reads a field of {@link PayloadWriter#marks}, or skips another field.
     *
     * @param name the name of the field, which has been read
     * @param type the type of the field
     */
    public void mark(String name, BsonType type) {
        if (name.equals("kind") && type == BsonType.STRING) {
            kind = reader.readString();
        } else if (name.equals("json") && type == BsonType.DOCUMENT) {
            reader.readStartDocument();
            for (BsonType next = reader.readBsonType();
                    next != BsonType.END_OF_DOCUMENT;
                    next = reader.readBsonType()) {
                String field = reader.readName();
                if (field.equals("text") && next == BsonType.BINARY) {
                    exact = reader.readBinaryData().getData();
                } else if (field.equals("of") && next == BsonType.INT64) {
                    digest = reader.readInt64();
                } else {
                    reader.skipValue();
                }
            }
            reader.readEndDocument();
        } else {
            reader.skipValue();
        }
    }

    /** Whether there was a payload. */
    public boolean hasPayload() {
        return payload != null;
    }

    /** Decodes the remembered payload; the JSON null if there was none. The last call on this reader. */
    public EncodedPayload decoded() {
        if (payload == null) {
            return NULL;
        }
        payload.reset();
        BsonType type = reader.getCurrentBsonType();
        if (type == BsonType.BINARY) {
            BsonBinary binary = reader.readBinaryData();
            return EncodedPayload.of(kindOr(PayloadKind.BYTES), binary.getData());
        }
        if (type == BsonType.STRING && !"json".equals(kind)) {
            return EncodedPayload.of(PayloadKind.STRING, reader.readString().getBytes(StandardCharsets.UTF_8));
        }
        byte[] text = exact;
        if (text != null && digest == CallTokens.hash(value())) {
            return EncodedPayload.of(PayloadKind.JSON, text);
        }
        return EncodedPayload.of(PayloadKind.JSON, BsonToJson.read(reader, 2 * (end - start) + 16));
    }

    private PayloadKind kindOr(PayloadKind otherwise) {
        return "json".equals(kind) ? PayloadKind.JSON : "string".equals(kind) ? PayloadKind.STRING : otherwise;
    }

    private byte[] value() {
        ByteBuffer bytes = document.getByteBuffer().asNIO();
        byte[] value = new byte[end - start];
        bytes.position(start); // an index of the buffer, also if the document does not begin at 0
        bytes.get(value);
        return value;
    }

    /** Reads headers. A value that is no document counts as empty. */
    public Headers headers(BsonType type) {
        if (type != BsonType.DOCUMENT) {
            reader.skipValue();
            return Headers.empty();
        }
        Map<String, Object> headers = new LinkedHashMap<>();
        reader.readStartDocument();
        for (BsonType next = reader.readBsonType(); next != BsonType.END_OF_DOCUMENT; next = reader.readBsonType()) {
            String name = reader.readName();
            headers.put(name, header(next));
        }
        reader.readEndDocument();
        return Headers.fromStored(headers);
    }

    private Object header(BsonType type) {
        return switch (type) {
            case STRING -> reader.readString();
            case INT32 -> (long) reader.readInt32();
            case INT64 -> reader.readInt64();
            case DOUBLE -> reader.readDouble();
            case BOOLEAN -> reader.readBoolean();
            default -> new String(BsonToJson.read(reader, 64), StandardCharsets.UTF_8);
        };
    }

    /** Reads a number of any type as a long; 0 if the value is no number. */
    public long number(BsonType type) {
        return switch (type) {
            case INT32 -> reader.readInt32();
            case INT64 -> reader.readInt64();
            case DOUBLE -> (long) reader.readDouble();
            case DECIMAL128 -> reader.readDecimal128().longValue();
            default -> {
                reader.skipValue();
                yield 0;
            }
        };
    }

    /** Reads a date as milliseconds since the epoch; null if the value is no date. */
    public @Nullable Long date(BsonType type) {
        if (type == BsonType.DATE_TIME) {
            return reader.readDateTime();
        }
        reader.skipValue();
        return null;
    }

    /** Reads an id of any type. */
    public BsonValue id(BsonType type) {
        return type == BsonType.OBJECT_ID
                ? new BsonObjectId(reader.readObjectId())
                : ANY.decode(reader, DecoderContext.builder().build());
    }

    @Override
    public void close() {
        reader.close();
    }
}
