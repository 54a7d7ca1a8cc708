package dev.jono.support.mongo.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.UndecodableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;

/** Checks of a queue {@code orders} whose collection other programs change. */
public final class DamageChecks {
    private DamageChecks() {}

    /** Checks that the queue works after its indexes are dropped. */
    public static void assertWorksWithoutIndexes(OwnDatabase database) throws InterruptedException {
        try (QueueFactory jono = database.connect()) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.pushAll(List.of("a", "b"));
            database.orders().dropIndexes();
            orders.push("c");
            orders.ackAll(orders.reserve(1, Duration.ofSeconds(5)));
            assertThat(payloads(orders.pop(5, Duration.ofSeconds(5)))).containsExactly("b", "c");
            assertThat(orders.totalSize()).isZero();
        }
    }

    /** The payloads of messages. */
    public static List<String> payloads(List<Message<String>> messages) {
        return messages.stream().map(Message::payload).toList();
    }

    /**
     * Inserts a document between two messages, and checks that it blocks neither of them.
     *
     * @param document JSON; {@code $$} stands for a date in the past
     */
    public static void assertBlocksNoMessage(
            MessageQueue<String> orders, MongoCollection<BsonDocument> stored, String document)
            throws InterruptedException {
        orders.push("a");
        insert(stored, document);
        orders.push("b");
        List<String> payloads = new ArrayList<>();
        for (int i = 0; i < 5 && !(payloads.contains("a") && payloads.contains("b")); i++) {
            try {
                orders.reserve(1, Duration.ofSeconds(2)).forEach(held -> {
                    payloads.add(held.payload());
                    held.ack();
                });
            } catch (UndecodableException foreign) {
                assertThat(foreign.queue()).isEqualTo("orders");
            }
        }
        assertThat(payloads).contains("a", "b");
        assertThat(orders.browse(null, 10)).hasSizeLessThanOrEqualTo(1);
        assertThat(orders.counts().total()).isLessThanOrEqualTo(1);
    }

    /** Inserts a document, as in {@link #assertBlocksNoMessage}. */
    public static void insert(MongoCollection<BsonDocument> stored, String document) {
        stored.insertOne(BsonDocument.parse(document.replace("$$", "{$date: '2026-01-01T00:00:00Z'}")));
    }
}
