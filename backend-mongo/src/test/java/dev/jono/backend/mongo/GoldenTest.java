package dev.jono.backend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import dev.jono.spi.NewMessage;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.MongoReplicaSet;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads documents that keuss 2.0.6 stored, and stores the same documents as keuss. */
class GoldenTest {
    private static final JsonWriterSettings RELAXED =
            JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();

    /** Payloads with types that JSON does not have, and an integer that a double cannot represent. */
    private static final Set<String> NOT_JSON =
            Set.of("null", "nested-buffer", "nested-date", "nested-undefined", "number-17-digits");

    private final String database = Fixture.database();

    @AfterEach
    void drop() {
        Fixture.client().getDatabase(database).drop();
    }

    /** One case: a backend and a kind of payload. */
    record Kind(String backend, BsonDocument fixture) {
        String name() {
            return fixture.getString("kind").getValue();
        }

        BsonDocument stored() {
            return fixture.getDocument("stored").getDocument("canonical");
        }

        /** The payload as a Java program would push it. */
        EncodedPayload payload() {
            BsonValue payload = Objects.requireNonNull(stored().get("payload"));
            if (payload.isBinary()) {
                return EncodedPayload.of(PayloadKind.BYTES, payload.asBinary().getData());
            }
            if (payload.isString()) {
                return EncodedPayload.of(
                        PayloadKind.STRING, payload.asString().getValue().getBytes(StandardCharsets.UTF_8));
            }
            if (payload.isDouble() && payload.asDouble().getValue() > Integer.MAX_VALUE) {
                // an integer in JavaScript
                return EncodedPayload.of(
                        PayloadKind.JSON,
                        Long.toString(payload.asDouble().longValue()).getBytes(StandardCharsets.UTF_8));
            }
            String json = new BsonDocument("p", payload).toJson(RELAXED);
            // RELAXED writes a blank after each colon and comma; the texts of the fixtures contain none.
            String text =
                    json.substring(json.indexOf(':') + 1, json.length() - 1).replace(" ", "");
            return EncodedPayload.of(PayloadKind.JSON, text.getBytes(StandardCharsets.UTF_8));
        }

        String collection() {
            return backend.equals("pl-mongo") ? "test" : "orders";
        }

        @Override
        public String toString() {
            return backend + " " + name();
        }
    }

    static Stream<Kind> kinds() throws IOException {
        List<Kind> kinds = new ArrayList<>();
        for (String backend : List.of("mongo", "pl-mongo", "ps-mongo")) {
            try (InputStream file =
                    Objects.requireNonNull(GoldenTest.class.getResourceAsStream("/keuss/" + backend + ".json"))) {
                BsonDocument all = BsonDocument.parse(new String(file.readAllBytes(), StandardCharsets.UTF_8));
                all.getArray("kinds").forEach(kind -> kinds.add(new Kind(backend, kind.asDocument())));
            }
        }
        return kinds.stream();
    }

    static Stream<Kind> jsonKinds() throws IOException {
        return kinds().filter(kind -> !NOT_JSON.contains(kind.name()));
    }

    private RawBackend open(String backend) {
        String options = backend.equals("pl-mongo") ? "jono.pipeline=test" : "jono.one-database=true";
        return RawBackend.open(Fixture.url(backend, MongoReplicaSet.sharedUri(database), options));
    }

    private MongoCollection<BsonDocument> collection(Kind kind) {
        return Fixture.client().getDatabase(database).getCollection(kind.collection(), BsonDocument.class);
    }

    @ParameterizedTest
    @MethodSource("jsonKinds")
    void writesWhatKeussWrites(Kind kind) {
        try (RawBackend raw = open(kind.backend())) {
            Headers headers = Headers.empty();
            for (Map.Entry<String, BsonValue> header :
                    kind.stored().getDocument("hdrs").entrySet()) {
                headers = headers.with(header.getKey(), plain(header.getValue()));
            }
            raw.insert(NewMessage.builder()
                    .payload(kind.payload())
                    .headers(headers)
                    .build());
            BsonDocument written =
                    Objects.requireNonNull(collection(kind).find().first());
            BsonDocument expected = kind.stored().clone();
            assertThat(written.keySet()).as("fields, in their order").containsExactlyElementsOf(expected.keySet());
            assertThat(written.isObjectId("_id")).isTrue();
            assertThat(written.isDateTime("mature")).isTrue();
            for (String own : List.of("_id", "mature", "_q")) {
                written.remove(own);
                expected.remove(own);
            }
            assertThat(written).isEqualTo(expected);
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
        try (RawBackend raw = open(kind.backend())) {
            raw.take(1); // opens the queue
            BsonDocument stored = kind.stored().clone();
            if (stored.containsKey("_q")) {
                stored.put("_q", new org.bson.BsonString("orders"));
            }
            collection(kind).insertOne(stored);
            StoredMessage claimed = raw.claim(5).messages().get(0);
            assertThat(claimed.id())
                    .isEqualTo(stored.getObjectId("_id").getValue().toHexString());
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
        }
    }

    /** If keuss reserves a message whose lease expired, the old receipt is stale. */
    @Test
    void reserveOfKeussBreaksTheFence() {
        try (RawBackend raw = open("mongo")) {
            raw.insert("a");
            StoredMessage claimed = raw.claim(1).messages().get(0);
            Fixture.client()
                    .getDatabase(database)
                    .getCollection("orders")
                    .updateOne(
                            new BsonDocument(),
                            BsonDocument.parse(
                                    "{$set: {reserved: {$date: '2026-11-21T18:00:00Z'}}, $inc: {tries: 1}}"));
            assertThat(RawBackend.got(raw.store().ack(RawBackend.acking(claimed)))
                            .outcomes())
                    .containsExactly(Outcome.STALE);
        }
    }

    /** An expired reservation of keuss counts as a delivery. */
    @Test
    void expiredReservationOfKeussCounts() {
        try (RawBackend raw = open("mongo")) {
            raw.take(1);
            Fixture.client()
                    .getDatabase(database)
                    .getCollection("orders", RawBsonDocument.class)
                    .insertOne(RawBsonDocument.parse("{_id: {$oid: '6b01684368ec4b5a628d05bc'}, payload: 'a', hdrs: {},"
                            + " mature: {$date: '2026-01-01T00:00:30Z'}, reserved: {$date: '2026-01-01T00:00:00Z'},"
                            + " tries: 1}"));
            StoredMessage claimed = raw.claim(1).messages().get(0);
            assertThat(claimed.tries()).isEqualTo(1);
            assertThat(claimed.expired()).isTrue();
        }
    }

    /** Documents of other programs, which keuss ignores too, stay as they are and block no message. */
    @Test
    void documentWithoutADateIsNoMessage() {
        try (RawBackend raw = open("mongo")) {
            raw.insert("a");
            Fixture.client()
                    .getDatabase(database)
                    .getCollection("orders", BsonDocument.class)
                    .insertOne(BsonDocument.parse("{mature: 5, payload: 'foreign'}"));
            assertThat(raw.take(5)).containsExactly("a");
        }
    }
}
