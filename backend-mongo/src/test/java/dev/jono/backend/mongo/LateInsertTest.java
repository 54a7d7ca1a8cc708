package dev.jono.backend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
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
    /** Twice as long as a search may begin there; and within what the servers of tests allow a transaction. */
    private static final Duration OPEN = Duration.ofSeconds(2);

    @Test
    void insertOfATransactionThatCommitsLateIsFoundInFrontOfTheBacklog() {
        String database = Fixture.database();
        try (RawBackend raw = RawBackend.open(
                        Fixture.url("mongo", MongoReplicaSet.sharedUri(database), "jono.one-database=true"));
                ClientSession session = Fixture.client().startSession()) {
            raw.take(1); // creates what a queue needs
            MongoCollection<BsonDocument> collection =
                    Fixture.client().getDatabase(database).getCollection("orders", BsonDocument.class);
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
        } finally {
            Fixture.client().getDatabase(database).drop();
        }
    }

    private static BsonDocument message(String payload, long matureMillis) {
        return BsonDocument.parse("{payload: '" + payload + "', tries: 0, hdrs: {}}")
                .append("mature", new BsonDateTime(matureMillis));
    }
}
