package dev.jono.backend.bucketmongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.NewMessage;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jono reads documents that keuss 2.0.6 has stored, and stores the same documents as keuss. */
class GoldenTest {
    private static final JsonWriterSettings RELAXED =
            JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();

    /** Values without a JSON type, and an integer that no double represents. */
    private static final Set<String> NOT_JSON =
            Set.of("null", "nested-buffer", "nested-date", "nested-undefined", "number-17-digits");

    @RegisterExtension
    final OwnDatabase database = new OwnDatabase();

    /** A kind of payload, shown by its name. */
    record Kind(BsonDocument fixture) {
        String name() {
            return fixture.getString("kind").getValue();
        }

        BsonDocument stored() {
            return fixture.getDocument("stored").getDocument("canonical");
        }

        BsonDocument slot() {
            return stored().getArray("b").get(0).asDocument();
        }

        /** The payload as a Java program would push it. */
        EncodedPayload payload() {
            BsonValue payload = Objects.requireNonNull(slot().get("__p"));
            if (payload.isBinary()) {
                return EncodedPayload.of(PayloadKind.BYTES, payload.asBinary().getData());
            }
            if (payload.isString()) {
                return EncodedPayload.of(
                        PayloadKind.STRING, payload.asString().getValue().getBytes(StandardCharsets.UTF_8));
            }
            if (payload.isDouble() && payload.asDouble().getValue() > Integer.MAX_VALUE) {
                // an integer to JavaScript
                return json(Long.toString(payload.asDouble().longValue()));
            }
            String json = new BsonDocument("p", payload).toJson(RELAXED);
            // RELAXED writes a blank after each colon and comma; no text of the fixtures has one.
            return json(json.substring(json.indexOf(':') + 1, json.length() - 1).replace(" ", ""));
        }

        private static EncodedPayload json(String text) {
            return EncodedPayload.of(PayloadKind.JSON, text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String toString() {
            return name();
        }
    }

    private static BsonDocument fixture(String name) {
        try (InputStream file =
                Objects.requireNonNull(GoldenTest.class.getResourceAsStream("/keuss/" + name + ".json"))) {
            return BsonDocument.parse(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<Kind> kinds() {
        return fixture("bucket-mongo-safe").getArray("kinds").stream().map(kind -> new Kind(kind.asDocument()));
    }

    static Stream<Kind> jsonKinds() {
        return kinds().filter(kind -> !NOT_JSON.contains(kind.name()));
    }

    /** The content of keuss's collection after each step of a bucket's life. */
    static Stream<BsonDocument> steps() {
        return fixture("bucket-mongo-safe-lifecycle").getArray("steps").stream()
                .map(BsonValue::asDocument)
                .filter(step -> !step.getArray("collection_after").isEmpty());
    }

    @ParameterizedTest
    @MethodSource("jsonKinds")
    void writesWhatKeussWrites(Kind kind) {
        try (RawBackend raw = database.open()) {
            Headers headers = Headers.empty();
            for (Map.Entry<String, BsonValue> header :
                    kind.slot().getDocument("__h").entrySet()) {
                headers = headers.with(header.getKey(), plain(header.getValue()));
            }
            raw.insert(NewMessage.builder()
                    .payload(kind.payload())
                    .headers(headers)
                    .build());
            BsonDocument written =
                    Objects.requireNonNull(database.orders().find().first());
            BsonDocument expected = kind.stored().clone();
            assertThat(new ArrayList<>(written.keySet()).subList(0, expected.size()))
                    .as("keuss's fields, in their order")
                    .containsExactlyElementsOf(expected.keySet());
            assertThat(written.keySet()).as("Jono's fields after them").contains("v", "free");
            assertThat(written.isObjectId("_id")).isTrue();
            assertThat(written.isDateTime("mature")).isTrue();
            assertThat(written.get("b")).isEqualTo(expected.get("b"));
            assertThat(written.get("n")).isEqualTo(expected.get("n"));
        }
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

    @ParameterizedTest
    @MethodSource("kinds")
    void readsWhatKeussWrote(Kind kind) {
        try (RawBackend raw = database.open()) {
            raw.take(1); // creates the collection and its indexes
            BsonDocument stored = kind.stored();
            database.orders().insertOne(stored);
            StoredMessage claimed = raw.claim(5).messages().get(0);
            assertThat(claimed.id())
                    .isEqualTo(kind.fixture().getString("push_returned").getValue());
            assertThat(claimed.tries()).isZero();
            assertThat(claimed.dueMillis())
                    .isEqualTo(stored.getDateTime("mature").getValue());
            switch (kind.name()) {
                case "null" -> assertThat(claimed.payload().text()).isEqualTo("null");
                case "nested-buffer" -> assertThat(claimed.payload().text()).isEqualTo("{\"bin\":\"aGk=\"}");
                case "nested-date" ->
                    assertThat(claimed.payload().text()).isEqualTo("{\"d\":\"2023-11-14T22:13:20.123Z\"}");
                case "nested-undefined" -> assertThat(claimed.payload().text()).isEqualTo("{\"u\":null,\"k\":1}");
                case "number-17-digits" -> assertThat(claimed.payload().text()).isEqualTo("12345678901234568");
                default -> assertThat(claimed.payload()).isEqualTo(kind.payload());
            }
            if (kind.name().equals("object")) {
                assertThat(claimed.headers().asMap())
                        .isEqualTo(Map.of("h1", "aaa", "h2", 12L, "h3", false, "h4", 12.34));
            }
            assertThat(RawBackend.got(raw.store().ack(RawBackend.acking(claimed)))
                            .outcomes())
                    .containsExactly(Outcome.DONE);
            assertThat(database.orders().countDocuments()).isZero();
        }
    }

    /** Jono consumes a bucket of keuss in each of its states, after leases and delays have ended. */
    @ParameterizedTest
    @MethodSource("steps")
    void takesOverKeusssBucket(BsonDocument step) {
        try (RawBackend raw = database.open()) {
            raw.take(1);
            BsonDocument bucket =
                    step.getArray("collection_after").get(0).asDocument().clone();
            bucket.put("mature", Fields.date(1_700_000_000_000L));
            database.orders().insertOne(bucket);
            BsonArray slots = bucket.getArray("b");
            List<String> expected = new ArrayList<>();
            for (BsonValue slot : slots) {
                if (slot.isDocument()) {
                    expected.add(slot.asDocument().getDocument("__p").toJson().replace(" ", ""));
                }
            }
            int reads = bucket.containsKey("tries") ? bucket.getInt32("tries").getValue() : 0;
            List<StoredMessage> claimed = raw.claim(10).messages();
            assertThat(claimed.stream().map(message -> message.payload().text()))
                    .isEqualTo(expected);
            assertThat(claimed).allMatch(message -> message.tries() == reads);
            assertThat(claimed).allMatch(message -> message.expired() == bucket.containsKey("reserved"));
            claimed.forEach(message -> assertThat(RawBackend.got(raw.store().ack(RawBackend.acking(message)))
                            .outcomes())
                    .containsExactly(Outcome.DONE));
            assertThat(database.orders().countDocuments()).isZero();
        }
    }

    /** While keuss holds a bucket, Jono changes nothing in it and counts its messages as reserved. */
    @Test
    void bucketThatKeussHoldsIsLeftAlone() {
        try (RawBackend raw = database.open()) {
            String id = Objects.requireNonNull(raw.insert("a").items().get(0).id());
            database.orders()
                    .updateOne(
                            new BsonDocument(),
                            BsonDocument.parse("{$set: {reserved: {$date: '2026-11-21T18:00:00Z'},"
                                    + " mature: {$date: '2096-11-21T18:00:30Z'}}, $inc: {tries: 1}}"));
            assertThat(raw.claim(5).messages()).isEmpty();
            assertThat(raw.take(5)).isEmpty();
            CountsResult counts =
                    RawBackend.got(raw.store().counts(CountsRequest.builder().build()));
            assertThat(counts.reserved()).isEqualTo(1);
            assertThat(counts.ready()).isZero();
            assertThat(RawBackend.got(raw.store().purge())).isZero();
            assertThat(id).isNotEmpty();
        }
    }

    /** keuss reads a bucket whose lease of Jono has expired: the receipt is stale, and the delivery stays counted. */
    @Test
    void readOfKeussBreaksTheFence() {
        try (RawBackend raw = database.open()) {
            raw.insert("a");
            StoredMessage claimed = raw.claim(1).messages().get(0);
            database.orders()
                    .updateOne(
                            new BsonDocument(),
                            BsonDocument.parse("{$set: {reserved: {$date: '2026-01-01T00:00:00Z'},"
                                    + " mature: {$date: '2026-01-01T00:00:30Z'}}, $inc: {tries: 1}}"));
            assertThat(RawBackend.got(raw.store().ack(RawBackend.acking(claimed)))
                            .outcomes())
                    .containsExactly(Outcome.STALE);
            assertThat(raw.claim(1).messages().get(0).tries())
                    .as("one delivery by Jono, one by keuss")
                    .isEqualTo(2);
        }
    }
}
