package dev.jono.backend.bucketmongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.BrowsedMessage;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.QueueFactory;
import dev.jono.RemoveOutcome;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.NewMessage;
import dev.jono.spi.SettleResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.testing.DamageChecks;
import dev.jono.support.mongo.testing.OwnDatabase;
import dev.jono.testkit.RawBackend;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents and indexes of a queue's collection that other programs have damaged. */
@Tag("fault")
class DamageTest {
    @RegisterExtension
    final OwnDatabase database = new OwnDatabase("bucket-mongo-safe");

    @Test
    void queueWorksWithoutItsIndexes() throws Exception {
        DamageChecks.assertWorksWithoutIndexes(database);
    }

    /** A document that keuss would read is a message, any other is left alone. No document blocks its neighbours. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{_id: 'text', mature: $$, b: [{__p: 'f', __h: {}}], n: 1}",
                "{_id: 5, mature: $$, b: [{__p: 'f', __h: {}}], n: 1}",
                "{_id: {a: 1}, mature: $$, b: [{__p: 'f'}], n: 1, tries: {$numberLong: '3'}}",
                "{mature: $$, b: ['f'], n: 'many', reserved: 'yes', v: 'x', free: 1, held: 2}",
                "{mature: $$, b: ['f'], n: {$numberDecimal: '1'}, tries: true, v: 1.5, reserved: 5}",
                "{mature: $$, b: ['f'], n: 1.5, tries: 'x', v: [1, 2], reserved: {a: 1}, held: [5]}",
                "{mature: $$, b: [], n: 'many', tries: 'x'}",
                "{mature: $$, b: [{__p: null, __h: {}}], n: 1}",
                "{mature: $$, b: [null, null], n: 0}",
                "{mature: $$, b: [], n: 0}",
                "{mature: $$, b: 'f'}",
                "{mature: $$, payload: 'f'}",
                "{mature: $$}",
                "{mature: 5, b: [{__p: 'f'}], n: 1}",
                "{}"
            })
    void foreignDocumentBlocksNoMessage(String document) throws Exception {
        try (QueueFactory jono = database.connect()) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            DamageChecks.assertBlocksNoMessage(orders, database.orders(), document);
            for (BrowsedMessage<String> left : orders.browse(null, 10)) {
                assertThat(orders.remove(left.id())).isEqualTo(RemoveOutcome.REMOVED);
            }
            DamageChecks.insert(database.orders(), document);
            orders.purge();
            assertThat(database.orders().countDocuments()).isZero();
        }
    }

    /** Bare payloads: a bucket as old versions of keuss wrote it, and one of another program. */
    @ParameterizedTest
    @ValueSource(strings = {"['f', 'g', 'h']", "[{a: 1}, {a: 2}, {a: 3}]"})
    void expiredLeaseOfBarePayloadIsCounted(String slots) {
        try (RawBackend raw = database.open()) {
            database.orders()
                    .insertOne(BsonDocument.parse("{mature: {$date: '2026-01-01T00:00:00Z'}, b: " + slots + ", n: 3}"));
            List<StoredMessage> first = RawBackend.got(raw.store()
                            .claim(ClaimRequest.builder()
                                    .max(1)
                                    .leaseMillis(1)
                                    .token(RawBackend.token())
                                    .build()))
                    .messages();
            List<StoredMessage> all = new ArrayList<>();
            Awaitility.await("the end of its lease").pollDelay(Duration.ZERO).until(() -> {
                all.addAll(raw.claim(3).messages());
                return all.size() == 3;
            });
            assertThat(all.stream().filter(message -> message.tries() == 1).map(StoredMessage::payload))
                    .containsExactlyElementsOf(
                            first.stream().map(StoredMessage::payload).toList());
            assertThat(all).filteredOn(message -> message.tries() == 0).hasSize(2);
            BsonDocument bucket =
                    Objects.requireNonNull(database.orders().find().first());
            assertThat(bucket.getArray(Fields.SLOTS))
                    .as("payloads are unchanged")
                    .noneMatch(slot -> slot.isDocument()
                            && slot.asDocument().containsKey("a")
                            && slot.asDocument().size() > 1);
            assertThat(RawBackend.got(raw.store().ack(RawBackend.acking(all.toArray(StoredMessage[]::new))))
                            .outcomes())
                    .containsOnly(SettleResult.Outcome.DONE);
        }
    }

    /** A payload that BSON cannot hold is refused; the other messages of the push are stored. */
    @Test
    void refusedMessageLeavesItsNeighboursAlone() {
        try (RawBackend raw = database.open()) {
            NewMessage bad = NewMessage.builder()
                    .payload(EncodedPayload.of(PayloadKind.JSON, "{\"a\\u0000b\":1}".getBytes(StandardCharsets.UTF_8)))
                    .build();
            InsertResult result = RawBackend.got(raw.store()
                    .insert(RawBackend.inserting(
                            RawBackend.message("a"), bad, RawBackend.message("b"), bad, RawBackend.message("c"))));
            assertThat(result.items().stream().map(item -> item.failure() == null))
                    .containsExactly(true, false, true, false, true);
            assertThat(raw.take(10)).containsExactly("a", "b", "c");
        }
    }
}
