package dev.jono.backend.mongo;

import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.token;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import dev.jono.spi.Backend;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.Due;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** Short forms of requests for keyed queues. A message's ordering key is the first letter of its payload. */
final class KeyedStore {
    private KeyedStore() {}

    static QueueStore of(Backend backend, int maxPerKey) {
        return backend.queue(
                QueueSpec.builder().name("orders").maxPerKey(maxPerKey).build());
    }

    static NewMessage.Builder message(String payload) {
        return message(payload, payload.substring(0, 1));
    }

    static NewMessage.Builder message(String payload, @Nullable String key) {
        Headers headers = key == null ? Headers.empty() : Headers.fromStored(Map.of(Headers.KEY, key));
        return NewMessage.builder()
                .payload(EncodedPayload.of(PayloadKind.STRING, payload.getBytes(StandardCharsets.UTF_8)))
                .headers(headers);
    }

    static InsertRequest inserting(String... payloads) {
        return InsertRequest.builder()
                .messages(Arrays.stream(payloads)
                        .map(payload -> message(payload).build())
                        .toList())
                .token(token())
                .build();
    }

    static void insert(QueueStore store, String... payloads) {
        got(store.insert(inserting(payloads)));
    }

    static ClaimRequest claiming(int max, int maxPerKey) {
        return ClaimRequest.builder()
                .max(max)
                .maxPerKey(maxPerKey)
                .leaseMillis(30_000)
                .token(token())
                .build();
    }

    static List<StoredMessage> claim(QueueStore store, int max) {
        return got(store.claim(claiming(max, 1))).messages();
    }

    static SettleRequest acking(List<StoredMessage> messages) {
        return SettleRequest.builder()
                .receipts(messages.stream().map(RawBackend::receipt).toList())
                .token(token())
                .build();
    }

    static ReleaseRequest releasing(StoredMessage message, boolean counted) {
        return ReleaseRequest.builder()
                .items(List.of(ReleaseRequest.Item.of(Objects.requireNonNull(message.receipt()), Due.now(), counted)))
                .token(token())
                .build();
    }

    static CountsResult counts(QueueStore store) {
        return got(store.counts(CountsRequest.builder().build()));
    }

    static List<String> texts(List<StoredMessage> messages) {
        return messages.stream().map(message -> message.payload().text()).toList();
    }

    static MongoCollection<BsonDocument> collection(MongoDatabase database) {
        return database.getCollection("orders", BsonDocument.class);
    }
}
