package dev.jono.support.mongo.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import dev.jono.spi.StoredMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/**
 * What keuss 2.0.6 stored for one kind of payload. Test cases show its backend and its kind.
 *
 * @param backend the type of the backend
 * @param entry the part of the file {@code /keuss/<backend>.json} on the class path
 */
public record KeussFixture(String backend, BsonDocument entry) {
    private static final JsonWriterSettings RELAXED =
            JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();

    /** Payloads with types that JSON does not have, and an integer that a double cannot represent. */
    private static final Set<String> NOT_JSON =
            Set.of("null", "nested-buffer", "nested-date", "nested-undefined", "number-17-digits");

    /** The file of fixtures {@code /keuss/<name>.json}. */
    public static BsonDocument file(String name) {
        try (InputStream file =
                Objects.requireNonNull(KeussFixture.class.getResourceAsStream("/keuss/" + name + ".json"))) {
            return BsonDocument.parse(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The fixtures of a backend. */
    public static List<KeussFixture> of(String backend) {
        return file(backend).getArray("kinds").stream()
                .map(kind -> new KeussFixture(backend, kind.asDocument()))
                .toList();
    }

    /** The kind of the payload. */
    public String kind() {
        return entry.getString("kind").getValue();
    }

    /** The stored document. */
    public BsonDocument stored() {
        return entry.getDocument("stored").getDocument("canonical");
    }

    /** Whether a Java program can push the payload as keuss stored it. */
    public boolean isJson() {
        return !NOT_JSON.contains(kind());
    }

    /** A stored payload as a Java program would push it. */
    public static EncodedPayload payload(BsonValue stored) {
        if (stored.isBinary()) {
            return EncodedPayload.of(PayloadKind.BYTES, stored.asBinary().getData());
        }
        if (stored.isString()) {
            return EncodedPayload.of(
                    PayloadKind.STRING, stored.asString().getValue().getBytes(StandardCharsets.UTF_8));
        }
        if (stored.isDouble() && stored.asDouble().getValue() > Integer.MAX_VALUE) {
            return json(Long.toString(stored.asDouble().longValue())); // an integer in JavaScript
        }
        String json = new BsonDocument("p", stored).toJson(RELAXED);
        // RELAXED writes a blank after each colon and comma; the texts of the fixtures contain none.
        return json(json.substring(json.indexOf(':') + 1, json.length() - 1).replace(" ", ""));
    }

    private static EncodedPayload json(String text) {
        return EncodedPayload.of(PayloadKind.JSON, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Stored headers as a Java program would push them. */
    public static Headers headers(BsonDocument stored) {
        Headers headers = Headers.empty();
        for (Map.Entry<String, BsonValue> header : stored.entrySet()) {
            headers = headers.with(header.getKey(), plain(header.getValue()));
        }
        return headers;
    }

    private static Object plain(BsonValue value) {
        return value.isString()
                ? value.asString().getValue()
                : value.isBoolean()
                        ? value.asBoolean().getValue()
                        : value.isInt32()
                                ? (Object) value.asInt32().getValue()
                                : value.asDouble().getValue();
    }

    /**
     * Checks the payload and the headers with which the stored message is handed out.
     *
     * @param pushed the payload as a Java program would push it
     */
    public void assertContentOf(StoredMessage read, EncodedPayload pushed) {
        switch (kind()) {
            case "null" -> assertThat(read.payload().text()).isEqualTo("null");
            case "nested-buffer" -> assertThat(read.payload().text()).isEqualTo("{\"bin\":\"aGk=\"}");
            case "nested-date" -> assertThat(read.payload().text()).isEqualTo("{\"d\":\"2023-11-14T22:13:20.123Z\"}");
            case "nested-undefined" -> assertThat(read.payload().text()).isEqualTo("{\"u\":null,\"k\":1}");
            case "number-17-digits" -> assertThat(read.payload().text()).isEqualTo("12345678901234568");
            default -> assertThat(read.payload()).isEqualTo(pushed);
        }
        if (kind().equals("object")) {
            assertThat(read.headers().asMap()).isEqualTo(Map.of("h1", "aaa", "h2", 12L, "h3", false, "h4", 12.34));
        }
    }

    @Override
    public String toString() {
        return backend + " " + kind();
    }
}
