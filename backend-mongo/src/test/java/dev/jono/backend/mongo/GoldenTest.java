package dev.jono.backend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import dev.jono.EncodedPayload;
import dev.jono.spi.NewMessage;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.testing.KeussFixture;
import dev.jono.support.mongo.testing.OwnDatabase;
import dev.jono.testkit.RawBackend;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads documents that keuss 2.0.6 stored, and stores the same documents as keuss. */
class GoldenTest {
    @RegisterExtension
    final OwnDatabase database = new OwnDatabase("mongo");

    static Stream<KeussFixture> kinds() {
        return Stream.of("mongo", "pl-mongo", "ps-mongo").flatMap(backend -> KeussFixture.of(backend).stream());
    }

    static Stream<KeussFixture> jsonKinds() {
        return kinds().filter(KeussFixture::isJson);
    }

    private RawBackend open(KeussFixture fixture) {
        boolean pipeline = fixture.backend().equals("pl-mongo");
        return RawBackend.open(database.url(fixture.backend(), pipeline ? "&jono.pipeline=test" : ""));
    }

    private MongoCollection<BsonDocument> collection(KeussFixture fixture) {
        return database.collection(fixture.backend().equals("pl-mongo") ? "test" : "orders");
    }

    private static EncodedPayload payload(KeussFixture fixture) {
        return KeussFixture.payload(Objects.requireNonNull(fixture.stored().get("payload")));
    }

    @ParameterizedTest
    @MethodSource("jsonKinds")
    void writesWhatKeussWrites(KeussFixture fixture) {
        try (RawBackend raw = open(fixture)) {
            raw.insert(NewMessage.builder()
                    .payload(payload(fixture))
                    .headers(KeussFixture.headers(fixture.stored().getDocument("hdrs")))
                    .build());
            BsonDocument written =
                    Objects.requireNonNull(collection(fixture).find().first());
            BsonDocument expected = fixture.stored().clone();
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

    @ParameterizedTest
    @MethodSource("kinds")
    void readsWhatKeussWrote(KeussFixture fixture) {
        try (RawBackend raw = open(fixture)) {
            raw.take(1); // opens the queue
            BsonDocument stored = fixture.stored().clone();
            if (stored.containsKey("_q")) {
                stored.put("_q", new BsonString("orders"));
            }
            collection(fixture).insertOne(stored);
            StoredMessage claimed = raw.claim(5).messages().get(0);
            assertThat(claimed.id())
                    .isEqualTo(stored.getObjectId("_id").getValue().toHexString());
            assertThat(claimed.tries()).isZero();
            assertThat(claimed.dueMillis())
                    .isEqualTo(stored.getDateTime("mature").getValue());
            fixture.assertContentOf(claimed, payload(fixture));
            assertThat(RawBackend.got(raw.store().ack(RawBackend.acking(claimed)))
                            .outcomes())
                    .containsExactly(Outcome.DONE);
        }
    }

    /** If keuss reserves a message whose lease expired, the old receipt is stale. */
    @Test
    void reserveOfKeussBreaksTheFence() {
        try (RawBackend raw = database.open()) {
            raw.insert("a");
            StoredMessage claimed = raw.claim(1).messages().get(0);
            database.orders()
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
        try (RawBackend raw = database.open()) {
            raw.take(1);
            database.orders()
                    .insertOne(BsonDocument.parse("{_id: {$oid: '6b01684368ec4b5a628d05bc'}, payload: 'a', hdrs: {},"
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
        try (RawBackend raw = database.open()) {
            raw.insert("a");
            database.orders().insertOne(BsonDocument.parse("{mature: 5, payload: 'foreign'}"));
            assertThat(raw.take(5)).containsExactly("a");
        }
    }
}
