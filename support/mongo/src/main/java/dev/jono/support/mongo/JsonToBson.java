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
 * Writes JSON text as a BSON value, token by token, with the types of keuss: int32 for integers of 32 bits, double for
 * numbers that a double represents exactly. Other numbers become int64 or decimal128. Used by one thread.
 */
final class JsonToBson {
    /** The server allows 180 levels of nested documents, and a message has some around its payload. */
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
    private boolean sameText = true;

    private JsonToBson(JsonParser parser, BsonWriter to) {
        this.parser = parser;
        this.to = to;
    }

    /** The result of writing a text. */
    enum Outcome {
        /** Written; {@link BsonToJson} writes the same numbers. */
        SAME_NUMBERS,
        /** Written; a number would come back with the same value, but as another text. */
        OTHER_NUMBERS,
        /** The text is no JSON value, is nested too deep, or is null: nothing usable was written. */
        NOT_WRITTEN
    }

    /**
     * Writes a text.
     *
     * @param to a writer that has just written a name; if the text is not JSON, a part of it may be written
     * @throws BsonSerializationException if BSON cannot represent it; the message says why
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
            return writing.sameText ? Outcome.SAME_NUMBERS : Outcome.OTHER_NUMBERS;
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
                default -> throw new IOException("not JSON: " + token);
            }
        } while (depth > 0 && (token = parser.nextToken()) != JsonToken.NOT_AVAILABLE);
    }

    private void name(String name) {
        if (name.indexOf('\0') >= 0) {
            throw new BsonSerializationException("the key '" + name.replace('\0', '?')
                    + "' of its payload contains the character NUL, which MongoDB does not allow in a key");
        }
        to.writeName(name);
    }

    private void integer() throws IOException {
        switch (parser.getNumberType()) {
            case INT -> {
                int value = parser.getIntValue();
                sameText &= value != 0 || parser.getTextLength() == 1; // not -0
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
            sameText = false;
            to.writeDouble(value);
        } else {
            big(text);
        }
    }

    private void big(String text) {
        Decimal128 value;
        try {
            // Parsing a million digits would take very long.
            value = text.length() > 6_200 ? null : new Decimal128(new BigDecimal(text));
        } catch (NumberFormatException tooLong) {
            value = null;
        }
        if (value == null) {
            throw new BsonSerializationException(
                    "the number " + (text.length() > 60 ? text.substring(0, 60) + "…" : text)
                            + " of its payload has more than 34 digits, or an exponent beyond 6144, and MongoDB cannot store it"
                            + " exactly: send it as a string");
        }
        sameText &= JsonNumbers.text(value).equals(text);
        to.writeDecimal128(value);
    }
}
