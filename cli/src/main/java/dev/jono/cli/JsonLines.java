package dev.jono.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import dev.jono.BrowsedMessage;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.PayloadKind;
import dev.jono.QueueCounts;
import dev.jono.Reservation;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes one JSON object per line. {@link #flush} writes the lines to the stream. Not thread-safe. */
final class JsonLines {
    private final JsonGenerator json;

    JsonLines(OutputStream out) throws IOException {
        this.json = Json.FACTORY
                .createGenerator(withNamedFailures(out))
                .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
                .setPrettyPrinter(new MinimalPrettyPrinter(""));
    }

    /** The same stream, with exceptions that name standard output. */
    private static OutputStream withNamedFailures(OutputStream out) {
        return new FilterOutputStream(out) {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                try {
                    out.write(bytes, from, length);
                } catch (IOException e) {
                    throw new IOException("cannot write to standard output: " + e.getMessage(), e);
                }
            }
        };
    }

    /** Writes the fields of a line. */
    interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    /** Writes a line. */
    void line(Fields fields) throws IOException {
        json.writeStartObject();
        fields.write(json);
        json.writeEndObject();
        json.writeRaw('\n');
    }

    /**
     * Writes a line with a number of messages, and flushes it. The field's name is a participle, such as {@code moved}.
     */
    void count(String name, long number) {
        try {
            line(j -> j.writeNumberField(name, number));
            flush();
        } catch (IOException e) {
            throw CliException.error(ErrorLine.messages(number) + " " + name + ", but " + ErrorLine.of(e), e);
        }
    }

    /** Writes a message that was taken. */
    void message(Message<EncodedPayload> message) throws IOException {
        line(j -> fields(j, message));
    }

    /** Writes a message that stays reserved, with the receipt that settles it. */
    void reserved(Reservation<EncodedPayload> message) throws IOException {
        line(j -> {
            fields(j, message);
            j.writeStringField("receipt", message.receipt());
        });
    }

    /**
     * Writes a message that was not taken, with its state.
     *
     * @param heads the messages that can block others
     */
    void browsed(BrowsedMessage<EncodedPayload> message, KeyHeads heads) throws IOException {
        line(j -> {
            fields(j, message);
            j.writeStringField("state", message.state().name().toLowerCase(Locale.ROOT));
            j.writeStringField("dueAt", message.dueAt().toString());
            if (message.state() == BrowsedMessage.State.BLOCKED) {
                blocked(j, message, heads.blocking(message).orElse(null));
            }
        });
    }

    private static void blocked(
            JsonGenerator json, BrowsedMessage<EncodedPayload> message, KeyHeads.@Nullable Head head)
            throws IOException {
        String key = message.key().orElse("");
        if (head == null) {
            json.writeStringField("reason", "waits for an earlier message of key '" + key + "'");
            return;
        }
        json.writeStringField("blockedBy", head.id());
        json.writeStringField(
                "reason", "waits for message " + head.id() + " of key '" + key + "', which is " + head.stateName());
    }

    /** Writes the numbers of messages of a queue as fields. {@code blocked} is left out if it is 0. */
    static void counts(JsonGenerator json, QueueCounts counts) throws IOException {
        json.writeNumberField("size", counts.ready());
        json.writeNumberField("scheduled", counts.scheduled());
        json.writeNumberField("reserved", counts.reserved());
        if (counts.blocked() > 0) {
            json.writeNumberField("blocked", counts.blocked());
        }
        json.writeNumberField("total", counts.total());
    }

    void flush() throws IOException {
        json.flush();
    }

    private static void fields(JsonGenerator json, Message<EncodedPayload> message) throws IOException {
        json.writeStringField("id", message.id());
        Optional<String> key = message.key();
        if (key.isPresent()) {
            json.writeFieldName("key");
            text(json, key.get());
        }
        payload(json, message.raw());
        json.writeNumberField("tries", message.tries());
        json.writeFieldName("headers");
        headers(json, message.headers());
    }

    /** Writes headers as an object, and nothing else. */
    static void headers(Writer to, Headers headers) throws IOException {
        try (JsonGenerator json = Json.FACTORY.createGenerator(to)) {
            headers(json, headers);
        }
    }

    private static void headers(JsonGenerator json, Headers headers) throws IOException {
        json.writeStartObject();
        for (Map.Entry<String, Object> header : headers.asMap().entrySet()) {
            json.writeFieldName(header.getKey());
            scalar(json, header.getValue());
        }
        json.writeEndObject();
    }

    /** Writes a payload, and its kind, as fields. */
    static void payload(JsonGenerator json, EncodedPayload payload) throws IOException {
        json.writeFieldName("payload");
        boolean broken = false;
        switch (payload.kind()) {
            case JSON -> {
                String text = payload.text();
                // Another client may have stored invalid JSON. The line must stay valid.
                broken = Json.utf8(payload.bytes())
                        .filter(valid -> Json.fault(valid).isEmpty())
                        .isEmpty();
                if (broken) {
                    json.writeString(text);
                } else {
                    json.writeRawValue(oneLine(text));
                }
            }
            case STRING -> {
                broken = Json.utf8(payload.bytes()).isEmpty();
                json.writeString(payload.text());
            }
            case BYTES -> json.writeString(Base64.getEncoder().encodeToString(payload.bytes()));
        }
        json.writeStringField("kind", payload.kind().label());
        if (broken) {
            json.writeBooleanField("broken", true);
        }
    }

    /** Writes a valid JSON payload, or a text, as a field. */
    static void value(JsonGenerator json, String name, EncodedPayload payload) throws IOException {
        json.writeFieldName(name);
        if (payload.kind() == PayloadKind.JSON) {
            json.writeRawValue(oneLine(payload.text()));
        } else {
            text(json, payload.text());
        }
    }

    /** Replaces line breaks. Valid JSON has line breaks only where it may have spaces. */
    private static String oneLine(String validJson) {
        return validJson.replace('\n', ' ').replace('\r', ' ');
    }

    private static void scalar(JsonGenerator json, @Nullable Object value) throws IOException {
        if (value instanceof Long number) {
            json.writeNumber(number);
        } else if (value instanceof Double number) {
            json.writeNumber(number);
        } else if (value instanceof Boolean flag) {
            json.writeBoolean(flag);
        } else {
            text(json, String.valueOf(value));
        }
    }

    /** Writes a string. An unpaired surrogate, which UTF-8 cannot encode, is written as an escape. */
    private static void text(JsonGenerator json, String text) throws IOException {
        if (StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            json.writeString(text);
            return;
        }
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(point -> {
            if (Character.getType(point) == Character.SURROGATE) {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", point));
            } else {
                quoted.append(JsonStringEncoder.getInstance().quoteAsString(Character.toString(point)));
            }
        });
        json.writeRawValue(quoted.append('"').toString());
    }
}
