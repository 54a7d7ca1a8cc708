package dev.jono.backend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** A search starts where the last one ended, but also finds messages that become visible later and are due earlier. */
class LateInsertTest {
    private static final int BACKLOG = 3_000;
    /** Five times the time after which a search starts at the beginning. */
    private static final Duration OPEN = Duration.ofSeconds(5);

    @Test
    void messageThatBecomesVisibleLateIsFoundBeforeTheBacklog() {
        String database = TestDatabases.newName();
        try (MongoReplicaSet set = MongoReplicaSet.start(1);
                RawBackend raw =
                        RawBackend.open(TestDatabases.url("mongo", set.uri(database), "jono.one-database=true"));
                MongoClient client = MongoClients.create(set.uri(database));
                ClientSession session = client.startSession()) {
            // The test servers have a shorter limit, because of killed clients.
            client.getDatabase("admin")
                    .runCommand(BsonDocument.parse("{setParameter: 1, transactionLifetimeLimitSeconds: 60}"));
            raw.insert("first"); // creates the collection
            raw.take(1);
            MongoCollection<BsonDocument> collection =
                    client.getDatabase(database).getCollection("orders", BsonDocument.class);
            session.startTransaction();
            collection.insertOne(session, message("late", System.currentTimeMillis()));
            // The backlog is due after the message that is not visible yet.
            long due = System.currentTimeMillis() + 1;
            collection.insertMany(IntStream.range(0, BACKLOG)
                    .mapToObj(i -> message("m" + i, due))
                    .toList());
            List<String> taken = new ArrayList<>();
            Awaitility.await("some time, while messages are taken")
                    .pollInterval(Duration.ofMillis(50))
                    .during(OPEN)
                    .atMost(OPEN.plusSeconds(5))
                    .until(() -> taken.addAll(raw.take(10)));
            assertThat(taken).doesNotContain("late");
            session.commitTransaction();
            Awaitility.await("the late one")
                    .pollInterval(Duration.ofMillis(50))
                    .atMost(Duration.ofSeconds(3))
                    .until(() -> {
                        taken.addAll(raw.take(10));
                        return taken.contains("late");
                    });
            assertThat(taken).as("before the end of the backlog").hasSizeLessThan(BACKLOG);
        }
    }

    private static BsonDocument message(String payload, long matureMillis) {
        return BsonDocument.parse("{payload: '" + payload + "', tries: 0, hdrs: {}}")
                .append("mature", new BsonDateTime(matureMillis));
    }
}
