package dev.jono.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reading JSON without making objects of it. */
final class Json {
    /** Jackson's read limits are on, as it has them. Characters beyond the basic plane are written as they are. */
    static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .build();

    private Json() {}

    /** Why this text is no payload; empty when it is exactly one JSON value. */
    static Optional<String> fault(String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                return Optional.of("it is empty");
            }
            parser.skipChildren();
            return parser.nextToken() == null ? Optional.empty() : Optional.of("it holds more than one value");
        } catch (JsonProcessingException e) {
            return Optional.of(e.getOriginalMessage());
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** The text behind these bytes; empty when they are not UTF-8. */
    static Optional<String> utf8(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
