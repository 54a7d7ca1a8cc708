package dev.jono.e2e.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues that are used once and deleted leave nothing in MongoDB: no collection but that of a pipeline, and no stats. */
class NothingLeftTest {
    private static final int QUEUES = 20;

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "ps-mongo", "pl-mongo", "bucket-mongo-safe", "bucket-mongo"})
    void queuesThatAreOverLeaveNothing(String backend) throws InterruptedException {
        String name = Urls.database();
        try (MongoClient client = MongoClients.create(MongoReplicaSet.sharedUri("admin"))) {
            MongoDatabase database = client.getDatabase(name);
            try (QueueFactory jono = QueueFactory.connect(Urls.of(backend, MongoReplicaSet.sharedUri(name)))) {
                for (int i = 0; i < QUEUES; i++) {
                    MessageQueue<String> reply = jono.queue("reply-" + i, Codec.string());
                    reply.push("once");
                    if (reply.capabilities().contains(Capability.RESERVE)) {
                        reply.reserve(Duration.ofSeconds(10)).orElseThrow().ack();
                    } else {
                        assertThat(reply.pop(Duration.ofSeconds(10))).isPresent();
                    }
                    reply.delete();
                    assertThat(reply.counts().total()).isZero();
                }
                assertThat(jono.queues()).isEmpty();
            }
            assertThat(database.listCollectionNames())
                    .filteredOn(collection -> !collection.equals("keuss_signal") && !collection.equals("keuss_stats"))
                    .isSubsetOf("default");
            assertThat(database.getCollection("default").countDocuments()).isZero();
            assertThat(database.getCollection("keuss_stats").countDocuments()).isZero();
        } finally {
            try (MongoClient client = MongoClients.create(MongoReplicaSet.sharedUri("admin"))) {
                client.getDatabase(name).drop();
            }
        }
    }
}
