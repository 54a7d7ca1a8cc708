package dev.jono.e2e.keuss;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Data that keuss really stored, and payloads in the form of the fixtures. */
final class Fixtures {
    private static final String BUFFER = "$buffer_base64";

    private Fixtures() {}

    static JsonNode read(String file) {
        try (InputStream in = Fixtures.class.getResourceAsStream("/keuss/fixtures/" + file + ".json")) {
            return Keuss.JSON.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<JsonNode> kinds(String file) {
        List<JsonNode> kinds = new java.util.ArrayList<>();
        read(file).get("kinds").forEach(kinds::add);
        return kinds;
    }

    static JsonNode json(String text) {
        try {
            return Keuss.JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A payload of ours as the fixtures and the driver write it. */
    static JsonNode shown(EncodedPayload payload) {
        return switch (payload.kind()) {
            case JSON -> json(payload.text());
            case STRING -> TextNode.valueOf(payload.text());
            case BYTES ->
                Keuss.JSON.createObjectNode().put(BUFFER, Base64.getEncoder().encodeToString(payload.bytes()));
        };
    }

    /** The reverse conversion; strings are JSON. */
    static EncodedPayload payload(JsonNode shown) {
        return shown.has(BUFFER)
                ? EncodedPayload.of(
                        PayloadKind.BYTES,
                        Base64.getDecoder().decode(shown.get(BUFFER).asText()))
                : EncodedPayload.of(
                        PayloadKind.JSON, shown.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    /** Headers as JSON. */
    static JsonNode shown(Headers headers) {
        return json(Keuss.JSON.valueToTree(headers.asMap()).toString());
    }

    /** The plain values of a JSON object. */
    static Map<String, Object> values(JsonNode object) {
        Map<String, Object> values = new HashMap<>();
        object.properties().forEach(field -> values.put(field.getKey(), value(field.getValue())));
        return values;
    }

    private static Object value(JsonNode node) {
        if (node.isTextual()) {
            return node.asText();
        }
        if (node.isBoolean()) {
            return node.asBoolean();
        }
        return node.isIntegralNumber() ? (Object) node.asLong() : (Object) node.asDouble();
    }
}
