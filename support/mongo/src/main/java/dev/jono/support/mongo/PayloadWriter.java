package dev.jono.support.mongo;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.bson.BsonBinary;
import org.bson.BsonBinaryWriter;
import org.bson.BsonReader;
import org.bson.BsonSerializationException;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonValueCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a document with payload and headers as keuss stores them in MongoDB: JSON as BSON, text as a string, bytes as
 * a binary. Not thread-safe.
 *
 * <p>Some payloads need further fields ({@link #marks}), which keuss ignores:
 *
 * <ul>
 *   <li>{@code kind} is {@code json} for a JSON payload that is a string; without it, a string is a text. With a binary it is
 *       {@code json} or {@code string}, for a payload of that kind that is not valid JSON or UTF-8, or is nested too deep.
 *   <li>{@code json} has the text of a JSON payload if its BSON would give another text (blanks, escapes, {@code 1.10}), and a
 *       digest of that BSON. If another program changes the payload, the digest differs and the text is ignored.
 * </ul>
 */
public final class PayloadWriter {
    /** The text of longer JSON is not kept, because the document might become too large. */
    private static final int MAX_TEXT_BYTES = 4 << 20;

    private static final BsonValueCodec ANY = new BsonValueCodec();

    /** The first byte of a byte order mark in UTF-8. It is not part of JSON, but Jackson skips it. */
    private static final byte BYTE_ORDER_MARK = (byte) 0xef;

    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long NOT_ASCII = 0x8080808080808080L;

    private final Utf8Output buffer;
    private final BsonBinaryWriter writer;
    private @Nullable String kind;
    private byte @Nullable [] exactText;
    private long digest;

    /** Writes a text from its UTF-8 bytes at once; the driver would encode each character. */
    private static final class Utf8Output extends BasicOutputBuffer {
        /** Valid UTF-8 that replaces the next text. */
        private byte @Nullable [] replacement;

        Utf8Output(int sizeHint) {
            super(sizeHint);
        }

        @Override
        public void writeString(String text) {
            byte[] utf8 = replacement;
            if (utf8 == null) {
                super.writeString(text);
                return;
            }
            replacement = null;
            writeInt32(utf8.length + 1);
            writeBytes(utf8);
            writeByte(0);
        }
    }

    /** Begins a document. */
    public PayloadWriter(int sizeHint) {
        this.buffer = new Utf8Output(sizeHint);
        this.writer = new BsonBinaryWriter(buffer);
    }

    /** The writer for all other fields. */
    public BsonBinaryWriter writer() {
        return writer;
    }

    /** The number of bytes written so far. */
    public int size() {
        return buffer.getPosition();
    }

    /**
     * Writes a payload as a field of this name.
     *
     * @throws BsonSerializationException if BSON cannot represent it; the message says why
     */
    public void payload(String name, EncodedPayload payload) {
        kind = null;
        exactText = null;
        byte[] bytes = payload.bytes();
        int before = buffer.getPosition();
        writer.writeName(name);
        switch (payload.kind()) {
            case BYTES -> writer.writeBinaryData(new BsonBinary(bytes));
            case STRING -> {
                if (isUtf8(bytes)) {
                    buffer.replacement = bytes;
                    writer.writeString("");
                } else {
                    binary(payload);
                }
            }
            case JSON -> json(payload, before, before + 2 + name.getBytes(StandardCharsets.UTF_8).length);
        }
    }

    private void binary(EncodedPayload payload) {
        kind = payload.kind().label();
        writer.writeBinaryData(new BsonBinary(payload.bytes()));
    }

    /**
     * Writes JSON.
     *
     * @param typeAt the position of the field's type
     * @param start the position of its value, after the type, the name and a NUL
     */
    private void json(EncodedPayload payload, int typeAt, int start) {
        byte[] bytes = payload.bytes();
        if (!isUtf8(bytes)) {
            binary(payload); // Jackson accepts some invalid UTF-8
            return;
        }
        writer.mark();
        JsonToBson.Outcome outcome = JsonToBson.write(bytes, writer);
        if (outcome == JsonToBson.Outcome.NOT_WRITTEN) {
            writer.reset();
            binary(payload);
            return;
        }
        if (isString(bytes)) {
            kind = PayloadKind.JSON.label();
        }
        boolean plain = outcome == JsonToBson.Outcome.SAME_NUMBERS && plain(bytes);
        if (!plain && bytes.length <= MAX_TEXT_BYTES) {
            byte[] value = Arrays.copyOfRange(buffer.getInternalBuffer(), start, buffer.getPosition());
            if (!Arrays.equals(bytes, rendered(buffer.getInternalBuffer()[typeAt], value))) {
                exactText = bytes;
                digest = CallTokens.hash(value);
            }
        }
    }

    /** The text that {@link BsonToJson} writes for a value. */
    private static byte[] rendered(byte type, byte[] value) {
        byte[] document = ByteBuffer.allocate(value.length + 7)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value.length + 7)
                .put(type)
                .put((byte) 0)
                .put(value)
                .put((byte) 0)
                .array();
        try (BsonReader reader = new RawBsonDocument(document).asBsonReader()) {
            reader.readStartDocument();
            reader.readBsonType();
            reader.skipName();
            return BsonToJson.read(reader, value.length);
        }
    }

    /** Whether valid JSON has neither escapes nor blanks outside strings; then only numbers could get another text. */
    private static boolean plain(byte[] json) {
        if (json[0] == BYTE_ORDER_MARK) {
            return false;
        }
        boolean inString = false;
        for (byte b : json) {
            if (b == '"') {
                inString = !inString;
            } else if (b == '\\' || (b <= ' ' && b >= 0 && !inString)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isString(byte[] json) {
        for (byte b : json) {
            if (b == '"') {
                return true;
            }
            if (b > ' ') {
                return false;
            }
        }
        return false;
    }

    private static boolean isUtf8(byte[] bytes) {
        int ascii = 0;
        while (ascii + Long.BYTES <= bytes.length && ((long) EIGHT_BYTES.get(bytes, ascii) & NOT_ASCII) == 0) {
            ascii += Long.BYTES;
        }
        for (int i = ascii; i < bytes.length; i++) {
            if (bytes[i] < 0) {
                try {
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, i, bytes.length - i));
                    return true;
                } catch (CharacterCodingException broken) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Writes the further fields that the last payload needs, if any. */
    public void marks() {
        if (kind != null) {
            writer.writeString("kind", kind);
        }
        if (exactText != null) {
            writer.writeStartDocument("json");
            writer.writeBinaryData("text", new BsonBinary(exactText));
            writer.writeInt64("of", digest);
            writer.writeEndDocument();
        }
    }

    /** Writes headers as a field of this name. */
    public void headers(String name, Headers headers) {
        writer.writeStartDocument(name);
        for (Map.Entry<String, Object> header : headers.asMap().entrySet()) {
            Object value = header.getValue();
            writer.writeName(header.getKey());
            if (value instanceof Long number) {
                if (number == number.intValue()) {
                    writer.writeInt32(number.intValue());
                } else {
                    writer.writeInt64(number);
                }
            } else if (value instanceof Double number) {
                writer.writeDouble(number);
            } else if (value instanceof Boolean flag) {
                writer.writeBoolean(flag);
            } else {
                writer.writeString(value.toString());
            }
        }
        writer.writeEndDocument();
    }

    /** Writes any value as a field of this name. */
    public void value(String name, BsonValue value) {
        writer.writeName(name);
        ANY.encode(writer, value, EncoderContext.builder().build());
    }

    /** The finished document. */
    public RawBsonDocument document() {
        return new RawBsonDocument(buffer.getInternalBuffer(), 0, buffer.getPosition());
    }
}
