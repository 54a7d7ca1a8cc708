package dev.jono.backend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import java.time.Duration;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** History keeps a consumed message under its id. A message that comes back with that id replaces it. */
class HistoryReturnTest {
    private static final Duration WAIT = Duration.ofSeconds(10);

    @Test
    void redrivenMessageReplacesTheHistoryOfItsMove() throws Exception {
        redriven(MongoServer.sharedUri(TestDatabases.newName()), "1h");
    }

    @Test
    void redrivenMessageComesBackIfOnlyItsQueueKeepsHistory() throws Exception {
        redriven(MongoServer.sharedUri(TestDatabases.newName()), "0s");
    }

    @Test
    void redrivenMessageComesBackOnAReplicaSet() throws Exception {
        redriven(MongoReplicaSet.sharedUri(TestDatabases.newName()), "1h");
    }

    private static void redriven(String uri, String ttl) throws Exception {
        String url = TestDatabases.url("ps-mongo", uri, "jono.one-database=true&jono.ttl=" + ttl);
        try (QueueFactory jono = QueueFactory.connect(url)) {
            MessageQueue<String> orders = jono.queue(
                    "orders",
                    Codec.string(),
                    QueueOptions.builder().history(Duration.ofHours(1)).build());
            orders.push("a");
            for (int times = 0; times < 2; times++) {
                Reservation<String> held = orders.reserve(WAIT).orElseThrow();
                held.reject("no");
                Awaitility.await().atMost(WAIT).until(() -> jono.deadLetters().size() == 1);
                assertThat(jono.deadLetters().redrive()).isEqualTo(1);
            }
            assertThat(orders.pop(WAIT).orElseThrow().payload()).isEqualTo("a");
            assertThat(jono.deadLetters().totalSize()).isZero();
        } finally {
            try (MongoClient client = MongoClients.create(uri)) {
                client.getDatabase(Objects.requireNonNull(new ConnectionString(uri).getDatabase()))
                        .drop();
            }
        }
    }
}
