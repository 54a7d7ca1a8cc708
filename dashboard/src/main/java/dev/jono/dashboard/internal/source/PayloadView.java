package dev.jono.dashboard.internal.source;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.dashboard.internal.http.Json;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A payload as it is shown: the whole of a small one, the beginning of a large one.
 *
 * @param kind json, string or bytes
 * @param size the number of bytes
 * @param cut whether this is the beginning
 * @param json the value; null if the payload is cut or is not JSON
 * @param text the text; null if the payload is in {@code json} or is not text
 * @param base64 the bytes; null if the payload is text
 */
public record PayloadView(
        String kind,
        int size,
        boolean cut,
        @Nullable JsonNode json,
        @Nullable String text,
        @Nullable String base64) {
    /** The most that is shown, in bytes. */
    public static final int MAX_BYTES = 16 << 10;

    /** A payload of which the beginning is enough. */
    public static PayloadView of(EncodedPayload payload) {
        return of(payload, MAX_BYTES);
    }

    /** A payload that is shown as a whole. */
    public static PayloadView whole(EncodedPayload payload) {
        return of(payload, Integer.MAX_VALUE);
    }

    private static PayloadView of(EncodedPayload payload, int most) {
        boolean cut = payload.size() > most;
        EncodedPayload shown = cut ? EncodedPayload.of(payload.kind(), Arrays.copyOf(payload.bytes(), most)) : payload;
        Optional<JsonNode> json =
                cut || payload.kind() != PayloadKind.JSON ? Optional.empty() : Json.parse(shown.bytes());
        boolean isText = payload.kind() != PayloadKind.BYTES;
        return new PayloadView(
                payload.kind().label(),
                payload.size(),
                cut,
                json.orElse(null),
                isText && json.isEmpty() ? shown.text() : null,
                isText ? null : Base64.getEncoder().encodeToString(shown.bytes()));
    }

    /** The value in JSON: the value itself, a text, or bytes as base64. */
    @JsonIgnore
    public Object value() {
        JsonNode value = json;
        return value != null ? value : text != null ? text : String.valueOf(base64);
    }

    /** The text on a page: JSON with line breaks, and characters visible that would hide or reorder others. */
    @JsonIgnore
    public String shown() {
        JsonNode value = json;
        return VisibleText.of(value != null ? Json.pretty(value) : text != null ? text : String.valueOf(base64));
    }

    /** The beginning, on one line. */
    @JsonIgnore
    public String line() {
        JsonNode value = json;
        String whole = value != null ? value.toString() : text != null ? text : String.valueOf(base64);
        String line = VisibleText.of(whole.length() > 120 ? whole.substring(0, 120) + "…" : whole);
        return line.replace('\n', ' ');
    }
}
