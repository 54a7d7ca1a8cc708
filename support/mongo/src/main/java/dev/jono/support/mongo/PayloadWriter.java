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
 * Writes payloads and headers as keuss keeps them in MongoDB: JSON as BSON, a text as a string, bytes as a binary.
 *
 * <p>What keuss has no form for gets a field of Jono's beside it ({@link #marks}), which keuss ignores: {@code kind} is
 * {@code json} for a JSON payload that is a string (without it, a string is a text), and, beside a binary, {@code json} or
 * {@code string} for what was called so and is no valid JSON or UTF-8, or is nested too deep. {@code json} holds the text of a
 * JSON payload where its BSON would give another one (blanks, escapes, {@code 1.10}), and a digest of that BSON: a payload
 * that somebody has changed counts as it is. Not thread-safe.
 */
public final class PayloadWriter {
    /** Longer JSON is kept as its BSON alone, or it might take more than a document's room. */
    private static final int LONGEST_EXACT = 4 << 20;

    private static final BsonValueCodec ANY = new BsonValueCodec();

    /** The first byte of one in UTF-8; no JSON begins with it, but Jackson skips it. */
    private static final byte BYTE_ORDER_MARK = (byte) 0xef;

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long NOT_ASCII = 0x8080808080808080L;

    private final Utf8Output buffer;
    private final BsonBinaryWriter writer;
    private @Nullable String kind;
    private byte @Nullable [] exact;
    private long digest;

    /** Takes a text as the bytes that it is, where the driver's writes each of its characters by itself. */
    private static final class Utf8Output extends BasicOutputBuffer {
        /** Valid UTF-8, to be written in place of the next text. */
        private byte @Nullable [] instead;

        Utf8Output(int sizeHint) {
            super(sizeHint);
        }

        @Override
        public void writeString(String text) {
            byte[] utf8 = instead;
            if (utf8 == null) {
                super.writeString(text);
                return;
            }
            instead = null;
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

    /** For all other fields. */
    public BsonBinaryWriter writer() {
        return writer;
    }

    /** Bytes so far. */
    public int size() {
        return buffer.getPosition();
    }

    /**
     * Writes a payload as a field of this name.
     *
     * @throws BsonSerializationException if BSON cannot hold it; the message says why
     */
    public void payload(String name, EncodedPayload payload) {
        kind = null;
        exact = null;
        byte[] bytes = payload.bytes();
        int before = buffer.getPosition();
        writer.writeName(name);
        switch (payload.kind()) {
            case BYTES -> writer.writeBinaryData(new BsonBinary(bytes));
            case STRING -> {
                if (isUtf8(bytes)) {
                    buffer.instead = bytes;
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
     * @param typeAt where the type of the field stands
     * @param start where its value begins: behind its type, its name and a NUL
     */
    private void json(EncodedPayload payload, int typeAt, int start) {
        byte[] bytes = payload.bytes();
        if (!isUtf8(bytes)) {
            binary(payload); // of some of it Jackson would make characters nevertheless
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
        if (!plain && bytes.length <= LONGEST_EXACT) {
            byte[] value = Arrays.copyOfRange(buffer.getInternalBuffer(), start, buffer.getPosition());
            if (!Arrays.equals(bytes, rendered(buffer.getInternalBuffer()[typeAt], value))) {
                exact = bytes;
                digest = CallTokens.hash(value);
            }
        }
    }

    /** The text that is made of this value. */
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

    /** Whether valid JSON has no blanks outside of strings and no escapes: then only numbers could have another text. */
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
        while (ascii + Long.BYTES <= bytes.length && ((long) EIGHT.get(bytes, ascii) & NOT_ASCII) == 0) {
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

    /** Writes the fields that the last payload needs beside it, if it does. */
    public void marks() {
        if (kind != null) {
            writer.writeString("kind", kind);
        }
        if (exact != null) {
            writer.writeStartDocument("json");
            writer.writeBinaryData("text", new BsonBinary(exact));
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
