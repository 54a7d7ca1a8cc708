package dev.jono.support.mongo;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import org.bson.BsonBinary;
import org.bson.BsonReader;
import org.bson.BsonType;

/**
 * Writes a BSON value as JSON, token by token. Node and other programs may store types that JSON does not have; they
 * become what keuss stores for them in Redis: ISO-8601 for a date, base64 for bytes, hex digits for an ObjectId.
 * Stateless.
 */
final class BsonToJson {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamWriteConstraints(
                    StreamWriteConstraints.builder().maxNestingDepth(1000).build())
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .build();

    private static final DateTimeFormatter ISO =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(java.time.ZoneOffset.UTC);

    private BsonToJson() {}

    /** Writes the value at which the reader stands; its type has been read. */
    static byte[] read(BsonReader from, int sizeHint) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(sizeHint);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            value(from, from.getCurrentBsonType(), json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static void value(BsonReader from, BsonType type, JsonGenerator json) throws IOException {
        switch (type) {
            case DOCUMENT -> {
                from.readStartDocument();
                json.writeStartObject();
                for (BsonType next = from.readBsonType();
                        next != BsonType.END_OF_DOCUMENT;
                        next = from.readBsonType()) {
                    json.writeFieldName(from.readName());
                    value(from, next, json);
                }
                from.readEndDocument();
                json.writeEndObject();
            }
            case ARRAY -> {
                from.readStartArray();
                json.writeStartArray();
                for (BsonType next = from.readBsonType();
                        next != BsonType.END_OF_DOCUMENT;
                        next = from.readBsonType()) {
                    value(from, next, json);
                }
                from.readEndArray();
                json.writeEndArray();
            }
            case STRING -> json.writeString(from.readString());
            case INT32 -> json.writeNumber(from.readInt32());
            case INT64 -> json.writeNumber(from.readInt64());
            case DOUBLE -> json.writeRawValue(JsonNumbers.text(from.readDouble()));
            case DECIMAL128 -> json.writeRawValue(JsonNumbers.text(from.readDecimal128()));
            case BOOLEAN -> json.writeBoolean(from.readBoolean());
            case NULL -> {
                from.readNull();
                json.writeNull();
            }
            case UNDEFINED -> {
                from.readUndefined();
                json.writeNull();
            }
            default -> json.writeString(text(from, type));
        }
    }

    private static String text(BsonReader from, BsonType type) {
        return switch (type) {
            case DATE_TIME ->
                ISO.format(Instant.ofEpochMilli(from.readDateTime()).truncatedTo(ChronoUnit.MILLIS));
            case OBJECT_ID -> from.readObjectId().toHexString();
            case BINARY -> {
                BsonBinary binary = from.readBinaryData();
                yield java.util.Base64.getEncoder().encodeToString(binary.getData());
            }
            case SYMBOL -> from.readSymbol();
            case JAVASCRIPT -> from.readJavaScript();
            case REGULAR_EXPRESSION -> {
                var expression = from.readRegularExpression();
                yield '/' + expression.getPattern() + '/' + expression.getOptions();
            }
            case TIMESTAMP -> Long.toUnsignedString(from.readTimestamp().getValue());
            case JAVASCRIPT_WITH_SCOPE -> {
                String code = from.readJavaScriptWithScope();
                from.readStartDocument();
                while (from.readBsonType() != BsonType.END_OF_DOCUMENT) {
                    from.skipName();
                    from.skipValue();
                }
                from.readEndDocument();
                yield code;
            }
            default -> {
                from.skipValue();
                yield type.name();
            }
        };
    }
}
