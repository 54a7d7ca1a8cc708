package dev.jono.backend.bucketmongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.UndecodableException;
import dev.jono.spi.InsertResult;
import dev.jono.spi.NewMessage;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.MongoReplicaSet;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others do to a queue's collection. */
@Tag("fault")
class DamageTest {
    private final String database = Fixture.database();

    @AfterEach
    void drop() {
        Fixture.client().getDatabase(database).drop();
    }

    private QueueFactory connect() {
        return QueueFactory.connect(
                Fixture.url("bucket-mongo-safe", MongoReplicaSet.sharedUri(database), "jono.one-database=true"));
    }

    private MongoCollection<BsonDocument> collection() {
        return Fixture.client().getDatabase(database).getCollection("orders", BsonDocument.class);
    }

    private static List<String> payloads(List<Message<String>> messages) {
        return messages.stream().map(Message::payload).toList();
    }

    @Test
    void droppedIndexesCostTimeAndNothingElse() throws Exception {
        try (QueueFactory jono = connect()) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.pushAll(List.of("a", "b"));
            collection().dropIndexes();
            orders.push("c");
            orders.ackAll(orders.reserve(1, Duration.ofSeconds(5)));
            assertThat(payloads(orders.pop(5, Duration.ofSeconds(5)))).containsExactly("b", "c");
            assertThat(orders.totalSize()).isZero();
        }
    }

    /** As far as Node sees it, it is a message; else it is left alone. None keeps its neighbours from coming out. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{_id: 'text', mature: $$, b: [{__p: 'f', __h: {}}], n: 1}",
                "{_id: 5, mature: $$, b: [{__p: 'f', __h: {}}], n: 1}",
                "{_id: {a: 1}, mature: $$, b: [{__p: 'f'}], n: 1, tries: {$numberLong: '3'}}",
                "{mature: $$, b: ['f'], n: 'many', reserved: 'yes', v: 'x', free: 1, held: 2}",
                "{mature: $$, b: [{__p: null, __h: {}}], n: 1}",
                "{mature: $$, b: [null, null], n: 0}",
                "{mature: $$, b: [], n: 0}",
                "{mature: $$, b: 'f'}",
                "{mature: $$, payload: 'f'}",
                "{mature: $$}",
                "{mature: 5, b: [{__p: 'f'}], n: 1}",
                "{}"
            })
    void foreignDocumentKeepsNobodyAway(String document) throws Exception {
        try (QueueFactory jono = connect()) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.push("a");
            collection().insertOne(BsonDocument.parse(document.replace("$$", "{$date: '2026-01-01T00:00:00Z'}")));
            orders.push("b");
            List<String> out = new ArrayList<>();
            for (int i = 0; i < 5 && !(out.contains("a") && out.contains("b")); i++) {
                try {
                    orders.reserve(1, Duration.ofSeconds(2)).forEach(held -> {
                        out.add(held.payload());
                        held.ack();
                    });
                } catch (UndecodableException foreign) {
                    assertThat(foreign.queue()).isEqualTo("orders");
                }
            }
            assertThat(out).contains("a", "b");
            assertThat(orders.browse(null, 10)).hasSizeLessThanOrEqualTo(1);
            assertThat(orders.counts().total()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void manyLargePayloadsNeverFillADocument() throws Exception {
        try (QueueFactory jono = connect()) {
            QueueOptions large =
                    QueueOptions.builder().maxPayloadBytes(15 << 20).build();
            MessageQueue<String> orders = jono.queue("orders", Codec.string(), large);
            List<String> all = new ArrayList<>();
            for (int size : List.of(10, 300_000, 200_000, 200_000, 10, 5_000_000, 200_000, 14_000_000, 10)) {
                all.add(all.size() + "x".repeat(size));
            }
            orders.pushAll(all);
            assertThat(payloads(orders.pop(20, Duration.ofSeconds(5)))).isEqualTo(all);
        }
    }

    @Test
    void arraysThatGrowAsBsonAreHeld() throws Exception {
        try (QueueFactory jono = connect()) {
            MessageQueue<EncodedPayload> orders = jono.queue("orders", Codec.raw());
            String array = "[" + "1,".repeat(110_000) + "1]";
            EncodedPayload payload = EncodedPayload.of(PayloadKind.JSON, array.getBytes(StandardCharsets.UTF_8));
            orders.pushAll(Collections.nCopies(40, payload));
            List<Message<EncodedPayload>> back = orders.pop(100, Duration.ofSeconds(5));
            while (back.size() < 40) {
                back = new ArrayList<>(back);
                back.addAll(orders.pop(100, Duration.ofSeconds(5)));
            }
            assertThat(back).allMatch(message -> message.payload().equals(payload));
        }
    }

    /** What BSON cannot hold is refused, and its neighbours in the bucket are stored. */
    @Test
    void refusedMessageLeavesItsNeighboursAlone() {
        try (RawBackend raw = RawBackend.open(
                Fixture.url("bucket-mongo-safe", MongoReplicaSet.sharedUri(database), "jono.one-database=true"))) {
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
