package dev.jono.backend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.support.mongo.testing.DamageChecks;
import dev.jono.support.mongo.testing.OwnDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Other programs change a queue's collection. */
@Tag("fault")
class DamageTest {
    @RegisterExtension
    final OwnDatabase database = new OwnDatabase("mongo");

    @Test
    void queueWorksWithoutItsIndexes() throws Exception {
        DamageChecks.assertWorksWithoutIndexes(database);
    }

    /** A move adds headers of dead letters, which is not possible in a value that is no document. */
    @ParameterizedTest
    @ValueSource(strings = {"null", "'text'", "[1]"})
    void messageWithInvalidHeadersCanBeMoved(String headers) throws Exception {
        try (QueueFactory jono = QueueFactory.connect(database.url("pl-mongo", "&jono.pipeline=works"))) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.pushAll(List.of("a", "b"));
            database.collection("works")
                    .updateOne(
                            BsonDocument.parse("{payload: 'a'}"),
                            BsonDocument.parse("{$set: {hdrs: " + headers + "}}"));
            for (Reservation<String> held : orders.reserve(2, Duration.ofSeconds(5))) {
                held.reject("no");
            }
            assertThat(orders.totalSize()).isZero();
            assertThat(jono.deadLetters().totalSize()).isEqualTo(2);
            assertThat(jono.deadLetters().redrive()).isEqualTo(2);
            assertThat(DamageChecks.payloads(orders.pop(2, Duration.ofSeconds(5))))
                    .containsExactlyInAnyOrder("a", "b");
        }
    }

    /** The BSON of these arrays is about five times as large as their JSON, and needs more than one command. */
    @Test
    void arraysThatGrowAsBsonAreStoredOnce() throws Exception {
        try (QueueFactory jono = database.connect()) {
            MessageQueue<EncodedPayload> orders = jono.queue("orders", Codec.raw());
            String array = "[" + "1,".repeat(110_000) + "1]";
            EncodedPayload payload = EncodedPayload.of(PayloadKind.JSON, array.getBytes(StandardCharsets.UTF_8));
            orders.pushAll(Collections.nCopies(40, payload));
            assertThat(orders.totalSize()).isEqualTo(40);
            List<Message<EncodedPayload>> back = new ArrayList<>();
            while (back.size() < 40) {
                back.addAll(orders.pop(100, Duration.ofSeconds(5)));
            }
            assertThat(back).allMatch(message -> message.payload().equals(payload));
        }
    }

    @Test
    void documentsWithoutTriesAreHandedOutInOrder() throws Exception {
        List<String> names = IntStream.range(0, 200).mapToObj(i -> "m" + i).toList();
        database.orders()
                .insertMany(IntStream.range(0, 200)
                        .mapToObj(i -> new BsonDocument("mature", new BsonDateTime(1_767_225_600_000L + i))
                                .append("payload", new BsonString(names.get(i))))
                        .toList());
        try (QueueFactory jono = database.connect()) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            List<String> payloads = new ArrayList<>();
            while (payloads.size() < 200) {
                List<Reservation<String>> held = orders.reserve(10, Duration.ofSeconds(5));
                assertThat(held).isNotEmpty();
                held.forEach(one -> payloads.add(one.payload()));
                orders.ackAll(held);
            }
            assertThat(payloads).containsExactlyElementsOf(names);
        }
    }

    /** A document that keuss accepts is a message; others stay as they are. None of them blocks other messages. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{_id: 'text', mature: $$, payload: 'f', tries: 0, hdrs: {}}",
                "{_id: 5, mature: $$, payload: 'f', tries: 0, hdrs: {}}",
                "{_id: {a: 1}, mature: $$, payload: 'f', tries: {$numberLong: '3'}}",
                "{mature: $$, payload: 'f', tries: 'many', hdrs: 'none', reserved: 'yes', token: 'x', due: 1, lease: 2}",
                "{mature: $$, payload: null}",
                "{mature: $$}",
                "{mature: 5, payload: 'f'}",
                "{mature: [$$, 7], payload: 'f'}",
                "{}"
            })
    void foreignDocumentBlocksNoMessage(String document) throws Exception {
        try (QueueFactory jono = database.connect()) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            DamageChecks.assertBlocksNoMessage(orders, database.orders(), document);
        }
    }

    /** A query for dates finds the array; in the index it stands at its smallest element. */
    @ParameterizedTest
    @ValueSource(strings = {"2026-01-01T00:00:00Z", "2126-01-01T00:00:00Z"})
    void dueTimeThatIsAnArrayBreaksNoQuery(String date) {
        try (QueueFactory jono = database.connect()) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.push("a");
            database.orders().insertOne(BsonDocument.parse("{mature: [{$date: '" + date + "'}, 7], payload: 'f'}"));
            assertThat(orders.counts().total()).isEqualTo(2);
            assertThat(orders.oldestReadyAge())
                    .isPresent()
                    .hasValueSatisfying(age -> assertThat(age).isLessThan(Duration.ofMinutes(5)));
            assertThat(orders.nextMaturity()).isPresent();
            for (int limit = 1; limit <= 3; limit++) {
                assertThat(orders.browse(null, limit)).isNotEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "ps-mongo"})
    void factoriesThatStartAtOnceCreateTheIndexesOnce(String backend) {
        List<QueueFactory> all = new ArrayList<>();
        try {
            String url = database.url(backend, "&maxPoolSize=2");
            List<CompletableFuture<QueueFactory>> starting = IntStream.range(0, 30)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> {
                                QueueFactory jono = QueueFactory.connect(url);
                                jono.queue("orders", Codec.string()).push("m" + i);
                                return jono;
                            },
                            task -> new Thread(task).start()))
                    .toList();
            starting.forEach(each -> all.add(each.join()));
            assertThat(all.get(0).queue("orders", Codec.string()).totalSize()).isEqualTo(30);
            assertThat(database.orders()
                            .listIndexes(BsonDocument.class)
                            .map(index -> index.getString("name").getValue()))
                    .contains("mature_1")
                    .doesNotHaveDuplicates();
        } finally {
            all.forEach(QueueFactory::close);
        }
    }
}
