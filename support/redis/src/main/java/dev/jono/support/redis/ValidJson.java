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

/** What may stand inside of another JSON text as it is. */
final class ValidJson {
    /** cjson, with which keuss reads, ends at a depth of 1,000. */
    private static final JsonFactory STRICT =
            JsonFactory.builder().streamReadConstraints(constraints(900)).build();
    /** The first byte of one in UTF-8; no JSON begins with it. */
    private static final byte BYTE_ORDER_MARK = (byte) 0xef;

    private ValidJson() {}

    /** Limits for a parser: this depth, and texts of any length. */
    static StreamReadConstraints constraints(int depth) {
        return StreamReadConstraints.builder()
                .maxNestingDepth(depth)
                .maxNumberLength(Integer.MAX_VALUE)
                .maxStringLength(Integer.MAX_VALUE)
                .build();
    }

    /** The first token of a valid JSON value in UTF-8, which may stand inside another; null if it is none. */
    static @Nullable JsonToken firstToken(byte[] bytes) {
        // Jackson also takes UTF-16 and 32, and skips a byte order mark: those cannot stand inside.
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

    /** In the first four bytes, where it tells of a wider encoding. */
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
