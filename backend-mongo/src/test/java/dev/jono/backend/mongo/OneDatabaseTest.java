package dev.jono.backend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.support.mongo.testing.LeastRights;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoUsers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The databases of signals and stats. */
class OneDatabaseTest {
    @RegisterExtension
    static final MongoUsers MONGO = MongoUsers.start();

    private static List<String> collections(MongoClient client, String database) {
        return client.getDatabase(database).listCollectionNames().into(new ArrayList<>());
    }

    @Test
    void userWithTheLeastRightsNeedsOnlyTheOneDatabase() throws Exception {
        String uri = LeastRights.uriOfOneDatabase(MONGO, TestDatabases.newName());
        try (QueueFactory jono = QueueFactory.connect(TestDatabases.url("mongo", uri, "jono.one-database=true"));
                QueueFactory other = QueueFactory.connect(TestDatabases.url("mongo", uri, "jono.one-database=true"))) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            CompletableFuture<Optional<Message<String>>> waiting = orders.popAsync(Duration.ofSeconds(30));
            other.queue("orders", Codec.string()).push("a");
            assertThat(waiting.get(30, TimeUnit.SECONDS)).isPresent();
            Awaitility.await("the count")
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> orders.stats().popped() == 1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void signalsAndStatsHaveTheirOwnDatabasesOrShareThatOfTheQueues(boolean one) {
        String database = TestDatabases.newName();
        MongoClient client = TestDatabases.client();
        String signals = one ? database : database + "_signal";
        String stats = one ? database : database + "_stats";
        String url = TestDatabases.url("mongo", MongoReplicaSet.sharedUri(database), "jono.one-database=" + one);
        try (QueueFactory jono = QueueFactory.connect(url)) {
            jono.queue("orders", Codec.string()).push("a");
            assertThat(jono.queues()).contains("orders").doesNotContain("keuss_signal", "keuss_stats");
            Awaitility.await("the stats to be written")
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> collections(client, stats).contains("keuss_stats"));
            BsonDocument channel = client.getDatabase(signals)
                    .listCollections(BsonDocument.class)
                    .filter(BsonDocument.parse("{name: '" + (one ? "keuss_signal" : "default") + "'}"))
                    .first();
            assertThat(channel).isNotNull();
            assertThat(channel.getDocument("options").getBoolean("capped").getValue())
                    .isTrue();
            assertThat(collections(client, database + "_stats").isEmpty()).isEqualTo(one);
            assertThat(collections(client, database + "_signal").isEmpty()).isEqualTo(one);
        } finally {
            List.of(database, signals, stats)
                    .forEach(name -> client.getDatabase(name).drop());
        }
    }
}
