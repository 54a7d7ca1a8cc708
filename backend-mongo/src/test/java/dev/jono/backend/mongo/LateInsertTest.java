package dev.jono.backend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
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

/** A search begins where the last one ended; what becomes visible below that is found all the same. */
class LateInsertTest {
    private static final int BACKLOG = 3_000;
    /** Five times as long as a search may begin there. */
    private static final Duration OPEN = Duration.ofSeconds(5);

    @Test
    void insertOfATransactionThatCommitsLateIsFoundInFrontOfTheBacklog() {
        String database = Fixture.database();
        try (MongoReplicaSet set = MongoReplicaSet.start(1);
                RawBackend raw = RawBackend.open(Fixture.url("mongo", set.uri(database), "jono.one-database=true"));
                MongoClient client = MongoClients.create(set.uri(database));
                ClientSession session = client.startSession()) {
            // The servers of tests allow less, for what killed clients leave behind.
            client.getDatabase("admin")
                    .runCommand(BsonDocument.parse("{setParameter: 1, transactionLifetimeLimitSeconds: 60}"));
            raw.insert("first"); // creates what a queue needs
            raw.take(1);
            MongoCollection<BsonDocument> collection =
                    client.getDatabase(database).getCollection("orders", BsonDocument.class);
            session.startTransaction();
            collection.insertOne(session, message("late", System.currentTimeMillis()));
            // All of it is due behind the one that is not visible yet.
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
            assertThat(taken).as("before the backlog was eaten").hasSizeLessThan(BACKLOG);
        }
    }

    private static BsonDocument message(String payload, long matureMillis) {
        return BsonDocument.parse("{payload: '" + payload + "', tries: 0, hdrs: {}}")
                .append("mature", new BsonDateTime(matureMillis));
    }
}
