package dev.jono.backend.bucketmongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.spi.Due;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.MongoReplicaSet;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Messages that are larger than a document, together or with added headers. They have a server of their own with a larger cache:
 * the shared servers roll transactions back that would fill their small ones.
 */
@Execution(ExecutionMode.SAME_THREAD) // the tests share a server
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LargeDocumentsTest {
    private static final String DATABASE = "jono";

    private final MongoReplicaSet servers = MongoReplicaSet.start(1, FullBucketsCase.server());
    private final MongoClient client = MongoClients.create(servers.uri(DATABASE));

    @AfterEach
    void drop() {
        client.getDatabase(DATABASE).drop();
    }

    @AfterAll
    void stop() {
        client.close();
        servers.close();
    }

    private String url() {
        return TestDatabases.url("bucket-mongo-safe", servers.uri(DATABASE), "jono.one-database=true");
    }

    private long documents() {
        return client.getDatabase(DATABASE).getCollection("orders").countDocuments();
    }

    private static List<String> payloads(List<Message<String>> messages) {
        return messages.stream().map(Message::payload).toList();
    }

    @Test
    void manyLargePayloadsNeverFillADocument() throws Exception {
        try (QueueFactory jono = QueueFactory.connect(url())) {
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

    /** Headers that the move adds make a document too large: the move is refused and changes nothing. */
    @Test
    void moveThatWouldNotFitIntoDocumentIsRefused() {
        try (RawBackend raw = RawBackend.open(url())) {
            raw.insert("small");
            raw.insert("x".repeat(15 << 20));
            List<StoredMessage> held = new ArrayList<>();
            await().untilAsserted(() -> {
                held.addAll(raw.claim(1).messages());
                assertThat(held).as("of %d documents", documents()).hasSize(2);
            });
            Headers headers = Headers.empty().with("note", "y".repeat(1 << 20));
            assertThatThrownBy(() -> move(raw, headers, held))
                    .isInstanceOf(EncodingException.class)
                    .hasMessageContainingAll("'orders'", held.get(1).id(), "16 MiB");
            assertThat(move(raw, headers, held.subList(0, 1))).containsExactly(SettleResult.Outcome.DONE);
            Headers error = Headers.fromStored(Map.of(Headers.DL_ERROR, "z".repeat(3000)));
            assertThat(move(raw, error, held.subList(1, 2))).containsExactly(SettleResult.Outcome.DONE);
            assertThat(documents()).isZero();
        }
    }

    /** As for an almost full bucket of keuss whose messages have grown a little. */
    @Test
    void restoreOfTooMuchForOneDocumentUsesSeveral() {
        try (RawBackend raw = RawBackend.open(url())) {
            byte[] large = new byte[8 << 20];
            Arrays.fill(large, (byte) 'x');
            String bucket = new ObjectId().toHexString();
            List<StoredMessage> messages = Stream.of(":0", ":1")
                    .map(slot -> StoredMessage.builder()
                            .id(bucket + slot)
                            .payload(EncodedPayload.of(PayloadKind.STRING, large))
                            .headers(Headers.empty())
                            .dueMillis(1)
                            .build())
                    .toList();
            RawBackend.got(raw.store()
                    .restore(RestoreRequest.builder()
                            .messages(messages)
                            .token(RawBackend.token())
                            .build()));
            assertThat(raw.take(1)).hasSize(1);
            assertThat(raw.take(1)).hasSize(1);
        }
    }

    private static List<SettleResult.Outcome> move(RawBackend raw, Headers headers, List<StoredMessage> messages) {
        List<MoveItem> items = messages.stream()
                .map(message -> MoveItem.builder()
                        .receipt(RawBackend.receipt(message))
                        .toQueue("dead")
                        .due(Due.in(0))
                        .addHeaders(headers)
                        .build())
                .toList();
        return RawBackend.got(raw.store()
                        .move(MoveRequest.builder()
                                .items(items)
                                .token(RawBackend.token())
                                .build()))
                .outcomes();
    }

    @Test
    void arraysThatAreLongerAsBsonAreStored() throws Exception {
        try (QueueFactory jono = QueueFactory.connect(url())) {
            QueueOptions patient = QueueOptions.builder()
                    .operationTimeout(Duration.ofMinutes(1))
                    .build();
            MessageQueue<EncodedPayload> orders = jono.queue("orders", Codec.raw(), patient);
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
}
