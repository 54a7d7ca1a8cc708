package dev.jono.support.redis;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes messages in the form of keuss: a JSON object with {@code payload}, {@code tries}, {@code hdrs}, and
 * {@code type: "buffer"} if the payload is bytes in base64. JSON payloads are embedded byte for byte, texts as JSON strings.
 *
 * <p>For payloads that keuss cannot represent, Jono adds a field {@code kind}, which keuss ignores. It is {@code json} for a
 * JSON payload that is a string (without it, a string is a text). Together with {@code type: "buffer"}, it is {@code json} or
 * {@code string} for a payload of that kind that is not valid JSON or UTF-8. A message that is stored under a given id has the field
 * {@code moved}, because it may have been delivered before. A dead letter does not have it: its headers say the same, and it has only
 * fields that keuss writes.
 */
public final class Envelope {
    private static final JsonFactory LENIENT = JsonFactory.builder()
            .streamReadConstraints(ValidJson.constraints(1100))
            .build();
    private static final byte[] ID = RedisKeys.bytes("\"_id\":");
    private static final byte[] MOVED = RedisKeys.bytes(",\"moved\":1,");
    private static final byte[] PAYLOAD = RedisKeys.bytes("\"payload\":");
    private static final byte[] UNTRIED = RedisKeys.bytes(",\"tries\":0,\"hdrs\":{}");

    private Envelope() {}

    /** The last fields of a message. A layout may add fields of its own between {@link Body#text()} and these. */
    public enum Tail {
        /** No further field. */
        PLAIN(""),
        /** A payload of bytes. */
        BUFFER(",\"type\":\"buffer\""),
        /** A JSON payload that is a string. */
        JSON(",\"kind\":\"json\""),
        /** A payload that was pushed as JSON and is not valid JSON. */
        BROKEN_JSON(",\"type\":\"buffer\",\"kind\":\"json\""),
        /** A payload that was pushed as text and is not valid UTF-8. */
        BROKEN_STRING(",\"type\":\"buffer\",\"kind\":\"string\"");

        private final String text;

        Tail(String text) {
            this.text = text;
        }

        /** The fields, with a comma before each. */
        public String text() {
            return text;
        }
    }

    /** The encoded fields of a message, without braces. */
    public static final class Body {
        private final byte[] text;
        private final Tail tail;

        Body(byte[] text, Tail tail) {
            this.text = text;
            this.tail = tail;
        }

        /**
         * {@code "payload":…,"tries":…,"hdrs":…}, after {@code "_id":…,} and mostly {@code "moved":1,} if an id was given. The array is
         * shared.
         */
        public byte[] text() {
            return text;
        }

        /** The fields that follow. */
        public Tail tail() {
            return tail;
        }
    }

    /**
     * Encodes the fields of a message.
     *
     * @param id the first field; null for none
     */
    public static Body write(@Nullable String id, EncodedPayload payload, Headers headers, int tries) {
        JsonBytes out = buffer(payload);
        if (id != null) {
            out.add(ID).quoted(id);
            if (isDeadLetter(headers)) {
                out.add((byte) ',');
            } else {
                out.add(MOVED);
            }
        }
        Tail tail = writeFields(out, payload, headers, tries);
        return new Body(out.toArray(), tail);
    }

    /**
     * Encodes a complete message.
     *
     * @param id the last field
     */
    public static byte[] writeWhole(EncodedPayload payload, Headers headers, int tries, String id) {
        JsonBytes out = buffer(payload).add((byte) '{');
        Tail tail = writeFields(out, payload, headers, tries);
        return out.ascii(tail.text())
                .add((byte) ',')
                .add(ID)
                .quoted(id)
                .add((byte) '}')
                .toArray();
    }

    private static JsonBytes buffer(EncodedPayload payload) {
        return new JsonBytes(payload.size() + payload.size() / 8 + 96);
    }

    private static Tail writeFields(JsonBytes out, EncodedPayload payload, Headers headers, int tries) {
        byte[] bytes = payload.bytes();
        out.add(PAYLOAD);
        Tail tail = Tail.PLAIN;
        switch (payload.kind()) {
            case JSON -> {
                JsonToken token = ValidJson.firstToken(bytes);
                tail = token == null ? Tail.BROKEN_JSON : token == JsonToken.VALUE_STRING ? Tail.JSON : Tail.PLAIN;
            }
            case STRING -> tail = ValidJson.isUtf8(bytes) ? Tail.PLAIN : Tail.BROKEN_STRING;
            case BYTES -> tail = Tail.BUFFER;
        }
        if (tail != Tail.PLAIN && tail != Tail.JSON) {
            out.add((byte) '"').add(Base64.getEncoder().encode(bytes)).add((byte) '"');
        } else if (payload.kind() == PayloadKind.JSON) {
            out.add(bytes);
        } else {
            out.quoted(bytes);
        }
        if (tries == 0 && headers.isEmpty()) {
            out.add(UNTRIED);
        } else {
            out.ascii(",\"tries\":").ascii(Integer.toString(tries)).ascii(",\"hdrs\":");
            headers(headers, out);
        }
        return tail;
    }

    private static boolean isDeadLetter(Headers headers) {
        return headers.string(Headers.DL_FROM_QUEUE) != null;
    }

    /** The encoded field {@code _id}, with a comma before it. */
    public static byte[] idField(String id) {
        return new JsonBytes(id.length() + 16)
                .add((byte) ',')
                .add(ID)
                .quoted(id)
                .toArray();
    }

    private static void headers(Headers headers, JsonBytes out) {
        byte separator = '{';
        if (headers.isEmpty()) {
            out.add(separator);
        }
        for (Map.Entry<String, Object> header : headers.asMap().entrySet()) {
            out.add(separator).quoted(header.getKey()).add((byte) ':');
            separator = ',';
            Object value = header.getValue();
            boolean bare = value instanceof Long
                    || value instanceof Boolean
                    || (value instanceof Double d && !d.isNaN() && !d.isInfinite());
            if (bare) {
                out.ascii(value.toString());
            } else {
                out.quoted(value.toString()); // JSON has no NaN or infinity: they become texts
            }
        }
        out.add((byte) '}');
    }

    /**
     * A decoded message.
     *
     * @param id the field {@code _id}; null without one
     * @param payload the payload; the whole text as bytes if it is not a valid message
     * @param headers the headers
     * @param tries the field {@code tries}; 0 without one
     * @param reserved the field {@code reserved}: the message is reserved, or was
     * @param mark the field {@code jono}; null without one
     * @param mature the field {@code mature}, milliseconds since the epoch; 0 without one
     * @param moved whether the message may have been delivered before it was stored here
     */
    public record Parsed(
            @Nullable String id,
            EncodedPayload payload,
            Headers headers,
            int tries,
            boolean reserved,
            @Nullable String mark,
            long mature,
            boolean moved) {}

    /** Decodes a message. Never fails. */
    public static Parsed read(byte[] text) {
        Parsed plain = PlainEnvelope.read(text);
        return plain == null ? parse(text) : plain;
    }

    /** Decodes a message of any form with a parser. */
    static Parsed parse(byte[] text) {
        try (JsonParser parser = LENIENT.createParser(text)) {
            Parsed found = new Reader(text, parser).read();
            if (found != null) {
                return found;
            }
        } catch (IOException | IllegalArgumentException e) {
            // Not a valid message: see below.
        }
        return new Parsed(null, EncodedPayload.of(PayloadKind.BYTES, text), Headers.empty(), 0, false, null, 0, false);
    }

    /** Reads one text field by field. If a field occurs twice, the last one counts, as in JavaScript and cjson. */
    private static final class Reader {
        private final byte[] text;
        private final JsonParser parser;
        private int start = -1;
        private int end;
        private boolean isString;
        private boolean buffer;
        private @Nullable String id;
        private @Nullable String kind;
        private Headers headers = Headers.empty();
        private int tries;
        private boolean reserved;
        private @Nullable String mark;
        private long mature;
        private boolean moved;

        Reader(byte[] text, JsonParser parser) {
            this.text = text;
            this.parser = parser;
        }

        @Nullable Parsed read() throws IOException {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
                JsonToken token = parser.nextToken();
                switch (field) {
                    case "payload" -> payload(token);
                    case "_id" -> id = token == JsonToken.VALUE_STRING ? parser.getText() : null;
                    case "hdrs" -> headers = token == JsonToken.START_OBJECT ? headers() : Headers.empty();
                    case "tries" -> tries = token.isNumeric() ? (int) Math.min(number(), Integer.MAX_VALUE) : 0;
                    case "mature" -> mature = token.isNumeric() ? number() : 0;
                    case "reserved" -> reserved = token == JsonToken.VALUE_TRUE;
                    case "type" -> buffer = token == JsonToken.VALUE_STRING && "buffer".equals(parser.getText());
                    case "kind" -> kind = token == JsonToken.VALUE_STRING ? parser.getText() : null;
                    case "jono" -> mark = token == JsonToken.VALUE_STRING ? parser.getText() : null;
                    case "moved" -> moved = true;
                    default -> {}
                }
                parser.skipChildren();
            }
            return start < 0
                    ? null
                    : new Parsed(
                            id,
                            payload(),
                            headers,
                            Math.max(0, tries),
                            reserved,
                            mark,
                            mature,
                            moved || isDeadLetter(headers));
        }

        private long number() throws IOException {
            return (long) parser.getDoubleValue();
        }

        private void payload(JsonToken token) throws IOException {
            start = (int) parser.currentTokenLocation().getByteOffset();
            isString = token == JsonToken.VALUE_STRING;
            parser.skipChildren();
            parser.finishToken();
            end = (int) parser.currentLocation().getByteOffset();
        }

        private EncodedPayload payload() throws IOException {
            boolean json = "json".equals(kind);
            if (!isString || (json && !buffer)) {
                return EncodedPayload.of(PayloadKind.JSON, withBlanks());
            }
            byte[] raw = Arrays.copyOfRange(text, start, end);
            if (buffer) {
                PayloadKind of =
                        json ? PayloadKind.JSON : "string".equals(kind) ? PayloadKind.STRING : PayloadKind.BYTES;
                return EncodedPayload.of(of, base64(raw));
            }
            return EncodedPayload.of(PayloadKind.STRING, unquoted(raw));
        }

        /** The payload with the blanks around it: they belong to a JSON payload. */
        private byte[] withBlanks() {
            int from = start;
            while (isBlank(text[from - 1])) {
                from--;
            }
            int to = end;
            while (to < text.length && isBlank(text[to])) {
                to++;
            }
            return Arrays.copyOfRange(text, from, to);
        }

        private static boolean isBlank(byte b) {
            return b == ' ' || b == '\t' || b == '\n' || b == '\r';
        }

        private static byte[] unquoted(byte[] quoted) throws IOException {
            for (byte b : quoted) {
                if (b == '\\') {
                    try (JsonParser inner = LENIENT.createParser(quoted)) {
                        inner.nextToken();
                        return inner.getText().getBytes(StandardCharsets.UTF_8);
                    }
                }
            }
            return Arrays.copyOfRange(quoted, 1, quoted.length - 1);
        }

        /** Decodes base64 as Node does: both alphabets, with or without padding. */
        private static byte[] base64(byte[] quoted) throws IOException {
            byte[] plain = unquoted(quoted);
            for (int i = 0; i < plain.length; i++) {
                plain[i] = (byte) (plain[i] == '-' ? '+' : plain[i] == '_' ? '/' : plain[i]);
            }
            return Base64.getMimeDecoder().decode(plain);
        }

        private Headers headers() throws IOException {
            Map<String, Object> values = new LinkedHashMap<>();
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                values.put(name, header(parser.nextToken()));
            }
            return Headers.fromStored(values);
        }

        private Object header(JsonToken token) throws IOException {
            return switch (token) {
                case VALUE_TRUE -> true;
                case VALUE_FALSE -> false;
                case VALUE_NUMBER_INT -> integer();
                case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
                case VALUE_STRING -> parser.getText();
                default -> {
                    int from = (int) parser.currentTokenLocation().getByteOffset();
                    parser.skipChildren();
                    int to = (int) parser.currentLocation().getByteOffset();
                    yield new String(text, from, to - from, StandardCharsets.UTF_8);
                }
            };
        }

        private Object integer() throws IOException {
            if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
                return parser.getDoubleValue();
            }
            return parser.getLongValue();
        }
    }
}
