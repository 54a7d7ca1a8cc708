package dev.jono.backend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** MongoDB deletes history by a TTL index with the time of the queue. */
class HistoryIndexTest {
    private static final Duration WAIT = Duration.ofSeconds(10);

    private final String database = TestDatabases.newName();
    private final MongoDatabase stored = TestDatabases.client().getDatabase(database);

    @AfterEach
    void drop() {
        stored.drop();
    }

    private QueueFactory connect() {
        return QueueFactory.connect(TestDatabases.url(
                "ps-mongo", MongoReplicaSet.sharedUri(database), "jono.one-database=true&jono.ttl=90s"));
    }

    private long secondsKept(String queue) {
        MongoCollection<Document> collection = stored.getCollection(queue);
        for (BsonDocument index : collection.listIndexes(BsonDocument.class)) {
            if (index.getString("name").getValue().equals("processed_1")) {
                assertThat(index.getDocument("key")).isEqualTo(BsonDocument.parse("{processed: 1}"));
                return index.getNumber("expireAfterSeconds").longValue();
            }
        }
        return -1;
    }

    @Test
    void consumedMessagesHaveTheDateOfTheIndex() throws Exception {
        try (QueueFactory jono = connect()) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.push("a");
            assertThat(orders.pop(WAIT)).isPresent();
            assertThat(secondsKept("orders")).isEqualTo(90);
            BsonDocument consumed =
                    stored.getCollection("orders", BsonDocument.class).find().first();
            assertThat(consumed).isNotNull();
            assertThat(consumed.isDateTime("processed")).isTrue();
        }
    }

    @Test
    void moveDoesNotSetTheTimeOfTheTarget() throws Exception {
        QueueOptions week = QueueOptions.builder().history(Duration.ofDays(7)).build();
        try (QueueFactory jono = connect()) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.push("a");
            orders.reserve(WAIT).orElseThrow().moveTo("kept");
            assertThat(secondsKept("kept"))
                    .as("the moving queue does not know it")
                    .isEqualTo(-1);
            MessageQueue<String> kept = jono.queue("kept", Codec.string(), week);
            assertThat(kept.pop(WAIT)).isPresent();
            assertThat(secondsKept("kept")).isEqualTo(TimeUnit.DAYS.toSeconds(7));
            assertThat(kept.historySize()).isEqualTo(1);
        }
    }
}
