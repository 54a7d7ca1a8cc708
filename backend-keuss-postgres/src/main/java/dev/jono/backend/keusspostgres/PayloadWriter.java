package dev.jono.backend.keusspostgres;

import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes payload and headers as keuss stores them in the column {@code _pl}: a JSON object with {@code payload}, {@code hdrs},
 * and {@code type: "buffer"} if the payload is bytes in base64. Stateless.
 *
 * <p>Some messages need further fields, which keuss ignores:
 *
 * <ul>
 *   <li>{@code kind} is {@code json} for a JSON payload that is a string; without it, a string is a text. With a buffer it is
 *       {@code json} or {@code string}, for a payload of that kind that JSONB cannot hold.
 *   <li>{@code json} has the text of a JSON payload if JSONB would give another text.
 *   <li>{@code jono_id} has the id of a message that another storage gave it, if keuss would refuse that id.
 * </ul>
 */
final class PayloadWriter {
    private static final String KIND_JSON = ",\"kind\":\"json\"";
    private static final String KIND_STRING = ",\"kind\":\"string\"";

    private static final char REPLACEMENT = '\ufffd';

    private PayloadWriter() {}

    /**
     * The value of {@code _pl}.
     *
     * @param queue the queue, for messages
     * @param id the id that the message shows, if it is not that of its row; null otherwise
     * @throws EncodingException if a header has a character that PostgreSQL cannot hold
     */
    static String write(String queue, EncodedPayload payload, Headers headers, @Nullable String id) {
        StringBuilder out = new StringBuilder(payload.size() + payload.size() / 2 + 64);
        out.append('{');
        payload(payload, out);
        out.append(",\"hdrs\":").append(headers(queue, headers));
        if (id != null) {
            quote(id, out.append(",\"jono_id\":"));
        }
        return out.append('}').toString();
    }

    /** The fields of a payload, as a JSON object. */
    static String fields(EncodedPayload payload) {
        StringBuilder out = new StringBuilder("{");
        payload(payload, out);
        return out.append('}').toString();
    }

    /** A JSON array of names. */
    static String array(Collection<String> names) {
        StringBuilder out = new StringBuilder("[");
        for (String name : names) {
            quote(name, out.append(out.length() > 1 ? "," : ""));
        }
        return out.append(']').toString();
    }

    private static void payload(EncodedPayload payload, StringBuilder out) {
        String text = payload.kind() == PayloadKind.BYTES ? null : decoded(payload.bytes());
        JsonText.Form form = text == null || payload.kind() != PayloadKind.JSON ? null : JsonText.form(payload.bytes());
        out.append("\"payload\":");
        if (text == null || form == JsonText.Form.REFUSED || (form == null && text.indexOf('\0') >= 0)) {
            buffer(payload, out);
        } else if (form == null) {
            quote(text, out);
        } else {
            out.append(text);
            if (form == JsonText.Form.ANOTHER_TEXT) {
                quote(text, out.append(",\"json\":"));
            } else if (text.startsWith("\"")) {
                out.append(KIND_JSON);
            }
        }
    }

    private static void buffer(EncodedPayload payload, StringBuilder out) {
        out.append('"')
                .append(Base64.getEncoder().encodeToString(payload.bytes()))
                .append("\",\"type\":\"buffer\"");
        switch (payload.kind()) {
            case JSON -> out.append(KIND_JSON);
            case STRING -> out.append(KIND_STRING);
            case BYTES -> {}
        }
    }

    /** The text of bytes; null if they are not valid UTF-8. */
    private static @Nullable String decoded(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /**
     * Headers as a JSON object.
     *
     * @throws EncodingException if one has a character that PostgreSQL cannot hold
     */
    static String headers(String queue, Headers headers) {
        StringBuilder out = new StringBuilder("{");
        for (Map.Entry<String, Object> header : headers.asMap().entrySet()) {
            if (out.length() > 1) {
                out.append(',');
            }
            quote(header.getKey(), out);
            out.append(':');
            value(queue, header.getKey(), header.getValue(), out);
        }
        return out.append('}').toString();
    }

    private static void value(String queue, String name, Object value, StringBuilder out) {
        if (value instanceof Long || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof Double number && !number.isNaN() && !number.isInfinite()) {
            // JSONB writes no exponents, and a double must not come back as a long.
            String plain = new BigDecimal(number.toString()).toPlainString();
            out.append(plain).append(plain.indexOf('.') < 0 ? ".0" : "");
        } else {
            quote(storable(queue, name, value.toString()), out); // JSON has no NaN and no infinity: they become texts
        }
    }

    /** The error of a dead letter quotes what it finds, so a character that cannot be stored is replaced there. */
    private static String storable(String queue, String name, String text) {
        StringBuilder replaced = new StringBuilder(text);
        boolean changed = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair) {
                i++;
            } else if (c == '\0' || Character.isSurrogate(c)) {
                replaced.setCharAt(i, REPLACEMENT);
                changed = true;
            }
        }
        if (changed && !name.equals(Headers.DL_ERROR)) {
            throw new EncodingException(
                    "push to queue '" + queue + "': header '" + name + "' has a character that PostgreSQL cannot store:"
                            + " U+0000, or half a surrogate pair",
                    queue,
                    null,
                    null);
        }
        return replaced.toString();
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
