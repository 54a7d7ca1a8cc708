package dev.jono.support.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.testkit.server.MongoReplicaSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process that is killed within a transaction leaves its locks behind, until the server ends the transaction. */
@Tag("fault")
class AbandonedTransactionTest {
    private static final BsonDocument KEY = BsonDocument.parse("{_id: 1}");

    @Test
    void anotherTransactionWaitsForItsEndWithoutABusyLoop() {
        String database = "jono_test_" + UUID.randomUUID().toString().substring(0, 13);
        PluginConfig config = PluginConfig.builder()
                .url(ConnectionUrl.parse("mongo:" + MongoReplicaSet.sharedUri(database)))
                .executor(Runnable::run)
                .build();
        try (MongoLink link = MongoLink.open(config, Set.of());
                ClientSession abandoned = link.client().startSession()) {
            MongoCollection<RawBsonDocument> collection = link.collection("keys");
            collection.insertOne(new RawBsonDocument(KEY, new BsonDocumentCodec()));
            abandoned.startTransaction();
            collection.updateOne(abandoned, KEY, Updates.inc("used", 1));

            AtomicInteger attempts = new AtomicInteger();
            long changed = new Transactions(link)
                    .run(
                            "push",
                            "orders",
                            session -> {
                                attempts.incrementAndGet();
                                return collection
                                        .updateOne(session, KEY, Updates.inc("used", 10))
                                        .getModifiedCount();
                            },
                            outcome -> {});

            assertThat(changed).isOne();
            assertThat(attempts.get()).as("attempts in some seconds").isBetween(2, 200);
            assertThat(collection.find().first()).containsEntry("used", new org.bson.BsonInt32(10));
            link.database().drop();
        }
    }
}
