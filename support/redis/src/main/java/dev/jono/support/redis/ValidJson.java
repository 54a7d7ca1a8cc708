package dev.jono.support.redis;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Checks whether bytes can be embedded unchanged in another JSON text. */
final class ValidJson {
    /** keuss reads with cjson, which fails beyond a depth of 1,000. */
    private static final JsonFactory STRICT =
            JsonFactory.builder().streamReadConstraints(constraints(900)).build();
    /** The first byte of a byte order mark in UTF-8; no JSON begins with it. */
    private static final byte BYTE_ORDER_MARK = (byte) 0xef;

    private ValidJson() {}

    /** Limits for a parser: this depth, and numbers and strings of any length. */
    static StreamReadConstraints constraints(int depth) {
        return StreamReadConstraints.builder()
                .maxNestingDepth(depth)
                .maxNumberLength(Integer.MAX_VALUE)
                .maxStringLength(Integer.MAX_VALUE)
                .build();
    }

    /** The first token of one valid JSON value in UTF-8 that can be embedded; null for anything else. */
    static @Nullable JsonToken firstToken(byte[] bytes) {
        // Jackson also reads UTF-16 and UTF-32, and skips a byte order mark. Those cannot be embedded.
        if (bytes.length == 0 || bytes[0] == BYTE_ORDER_MARK || hasZero(bytes) || !isUtf8(bytes)) {
            return null;
        }
        try (JsonParser parser = STRICT.createParser(bytes)) {
            JsonToken first = parser.nextToken();
            if (first == null || first == JsonToken.VALUE_NULL) {
                return first;
            }
            parser.skipChildren();
            parser.finishToken();
            return parser.nextToken() == null ? first : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** Whether one of the first four bytes is zero, as in wider encodings. */
    private static boolean hasZero(byte[] bytes) {
        for (int i = 0; i < Math.min(4, bytes.length); i++) {
            if (bytes[i] == 0) {
                return true;
            }
        }
        return false;
    }

    static boolean isUtf8(byte[] bytes) {
        if (PlainText.isAscii(bytes)) {
            return true;
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
