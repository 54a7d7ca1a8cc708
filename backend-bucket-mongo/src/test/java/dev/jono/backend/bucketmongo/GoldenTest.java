package dev.jono.backend.bucketmongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.EncodedPayload;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.NewMessage;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.testing.KeussFixture;
import dev.jono.support.mongo.testing.OwnDatabase;
import dev.jono.testkit.RawBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jono reads documents that keuss 2.0.6 has stored, and stores the same documents as keuss. */
class GoldenTest {
    @RegisterExtension
    final OwnDatabase database = new OwnDatabase("bucket-mongo-safe");

    static Stream<KeussFixture> kinds() {
        return KeussFixture.of("bucket-mongo-safe").stream();
    }

    static Stream<KeussFixture> jsonKinds() {
        return kinds().filter(KeussFixture::isJson);
    }

    private static BsonDocument slot(KeussFixture fixture) {
        return fixture.stored().getArray("b").get(0).asDocument();
    }

    private static EncodedPayload payload(KeussFixture fixture) {
        return KeussFixture.payload(Objects.requireNonNull(slot(fixture).get("__p")));
    }

    /** The content of keuss's collection after each step of a bucket's life. */
    static Stream<BsonDocument> steps() {
        return KeussFixture.file("bucket-mongo-safe-lifecycle").getArray("steps").stream()
                .map(BsonValue::asDocument)
                .filter(step -> !step.getArray("collection_after").isEmpty());
    }

    @ParameterizedTest
    @MethodSource("jsonKinds")
    void writesWhatKeussWrites(KeussFixture fixture) {
        try (RawBackend raw = database.open()) {
            raw.insert(NewMessage.builder()
                    .payload(payload(fixture))
                    .headers(KeussFixture.headers(slot(fixture).getDocument("__h")))
                    .build());
            BsonDocument written =
                    Objects.requireNonNull(database.orders().find().first());
            BsonDocument expected = fixture.stored().clone();
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

    @ParameterizedTest
    @MethodSource("kinds")
    void readsWhatKeussWrote(KeussFixture fixture) {
        try (RawBackend raw = database.open()) {
            raw.take(1); // creates the collection and its indexes
            BsonDocument stored = fixture.stored();
            database.orders().insertOne(stored);
            StoredMessage claimed = raw.claim(5).messages().get(0);
            assertThat(claimed.id())
                    .isEqualTo(fixture.entry().getString("push_returned").getValue());
            assertThat(claimed.tries()).isZero();
            assertThat(claimed.dueMillis())
                    .isEqualTo(stored.getDateTime("mature").getValue());
            fixture.assertContentOf(claimed, payload(fixture));
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
