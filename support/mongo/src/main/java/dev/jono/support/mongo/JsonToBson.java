package dev.jono.support.mongo;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.math.BigDecimal;
import org.bson.BsonSerializationException;
import org.bson.BsonWriter;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;

/**
 * Writes a JSON text as a BSON value, token by token, with the types that keuss gives: integers of 32 bits as such, other
 * numbers as doubles, as far as a double holds them exactly. What it does not hold becomes int64 or decimal128.
 */
final class JsonToBson {
    /** The server takes 180 levels of documents in a document at most, and a message has some around its payload. */
    static final int MAX_DEPTH = 150;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private static final long EXACT_IN_DOUBLE = 1L << 53;

    private final JsonParser parser;
    private final BsonWriter to;
    private boolean canonical = true;

    private JsonToBson(JsonParser parser, BsonWriter to) {
        this.parser = parser;
        this.to = to;
    }

    /** What a text turned out to be. */
    enum Outcome {
        /** Written; {@link BsonToJson} makes the same text of it. */
        SAME_NUMBERS,
        /** Written; a number would come back with the same value and another text. */
        OTHER_NUMBERS,
        /** No JSON value, or one nested too deep, or null: nothing usable was written. */
        NOT_WRITTEN
    }

    /**
     * Writes it.
     *
     * @param to stands behind a name; where the text turns out not to be JSON, something may be written in part
     * @throws BsonSerializationException if BSON cannot hold it; the message says why
     */
    static Outcome write(byte[] json, BsonWriter to) {
        try (JsonParser parser = JSON.createParser(json)) {
            JsonToken first = parser.nextToken();
            if (first == null || first == JsonToken.VALUE_NULL) {
                return Outcome.NOT_WRITTEN;
            }
            JsonToBson writing = new JsonToBson(parser, to);
            writing.value(first);
            if (parser.nextToken() != null) {
                return Outcome.NOT_WRITTEN;
            }
            return writing.canonical ? Outcome.SAME_NUMBERS : Outcome.OTHER_NUMBERS;
        } catch (IOException notJson) {
            return Outcome.NOT_WRITTEN;
        }
    }

    private void value(@Nullable JsonToken first) throws IOException {
        int depth = 0;
        JsonToken token = first;
        do {
            if (token == null) {
                throw new IOException("the text ends early");
            }
            switch (token) {
                case START_OBJECT -> {
                    to.writeStartDocument();
                    depth++;
                }
                case END_OBJECT -> {
                    to.writeEndDocument();
                    depth--;
                }
                case START_ARRAY -> {
                    to.writeStartArray();
                    depth++;
                }
                case END_ARRAY -> {
                    to.writeEndArray();
                    depth--;
                }
                case FIELD_NAME -> name(parser.currentName());
                case VALUE_STRING -> to.writeString(parser.getText());
                case VALUE_TRUE -> to.writeBoolean(true);
                case VALUE_FALSE -> to.writeBoolean(false);
                case VALUE_NULL -> to.writeNull();
                case VALUE_NUMBER_INT -> integer();
                case VALUE_NUMBER_FLOAT -> decimal();
                default -> throw new IOException("no JSON: " + token);
            }
        } while (depth > 0 && (token = parser.nextToken()) != JsonToken.NOT_AVAILABLE);
    }

    private void name(String name) {
        if (name.indexOf('\0') >= 0) {
            throw new BsonSerializationException("the key '" + name.replace('\0', '?')
                    + "' of its payload holds the character NUL, which no key in MongoDB can");
        }
        to.writeName(name);
    }

    private void integer() throws IOException {
        switch (parser.getNumberType()) {
            case INT -> {
                int value = parser.getIntValue();
                canonical &= value != 0 || parser.getTextLength() == 1; // not -0
                to.writeInt32(value);
            }
            case LONG -> {
                long value = parser.getLongValue();
                if (value <= EXACT_IN_DOUBLE && value >= -EXACT_IN_DOUBLE) {
                    to.writeDouble((double) value);
                } else {
                    to.writeInt64(value);
                }
            }
            default -> big(parser.getText());
        }
    }

    private void decimal() throws IOException {
        String text = parser.getText();
        double value = parser.getDoubleValue();
        String shown = JsonNumbers.text(value);
        if (shown.equals(text)) {
            to.writeDouble(value);
        } else if (!Double.isInfinite(value)
                && text.length() < 40
                && new BigDecimal(text).compareTo(new BigDecimal(shown)) == 0) {
            canonical = false;
            to.writeDouble(value);
        } else {
            big(text);
        }
    }

    private void big(String text) {
        Decimal128 value;
        try {
            // A text of a million digits would keep a processor busy for long.
            value = text.length() > 6_200 ? null : new Decimal128(new BigDecimal(text));
        } catch (NumberFormatException tooLong) {
            value = null;
        }
        if (value == null) {
            throw new BsonSerializationException(
                    "the number " + (text.length() > 60 ? text.substring(0, 60) + "…" : text)
                            + " of its payload has more than 34 digits, or an exponent beyond 6144, which MongoDB cannot hold exactly:"
                            + " send it as a string");
        }
        canonical &= JsonNumbers.text(value).equals(text);
        to.writeDecimal128(value);
    }
}
