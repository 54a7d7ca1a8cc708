package dev.jono.jobs.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/** The fields of a document that hold a payload: its kind, and its text; bytes are in Base64. */
final class PayloadFields {
    private static final String KIND = "kind";
    private static final String PAYLOAD = "payload";

    private PayloadFields() {}

    static void put(ObjectNode node, EncodedPayload payload) {
        node.put(KIND, payload.kind().label());
        node.put(
                PAYLOAD,
                payload.kind() == PayloadKind.BYTES
                        ? Base64.getEncoder().encodeToString(payload.bytes())
                        : payload.text());
    }

    static EncodedPayload get(JsonNode node) {
        String label = node.path(KIND).asText();
        PayloadKind kind = Arrays.stream(PayloadKind.values())
                .filter(each -> each.label().equals(label))
                .findFirst()
                .orElse(PayloadKind.STRING);
        String text = node.path(PAYLOAD).asText();
        return EncodedPayload.of(
                kind,
                kind == PayloadKind.BYTES ? Base64.getDecoder().decode(text) : text.getBytes(StandardCharsets.UTF_8));
    }
}
