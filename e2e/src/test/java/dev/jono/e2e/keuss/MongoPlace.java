package dev.jono.e2e.keuss;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** A database on the shared server, and the shared Node process. */
class MongoPlace extends KeussCase.Place {
    /**
     * Shared by all tests. Created lazily, so that each test is skipped with the reason if there is no server or no
     * Node.
     */
    static final class Shared {
        private static @Nullable MongoClient client;
        private static @Nullable Keuss keuss;

        static synchronized MongoClient client() {
            MongoClient known = client;
            if (known == null) {
                known = MongoClients.create(MongoReplicaSet.sharedUri("admin"));
                client = known;
            }
            return known;
        }

        static synchronized Keuss keuss() {
            Keuss known = keuss;
            if (known == null) {
                known = Keuss.start();
                keuss = known;
            }
            return known;
        }
    }

    final String database = "jono_test_" + UUID.randomUUID().toString().substring(0, 13);
    final String uri = MongoReplicaSet.sharedUri(database);

    MongoPlace(String backend) {
        super(backend);
    }

    @Override
    String url() {
        return backend + ":" + uri;
    }

    @Override
    Map<String, ?> where() {
        return Map.of("url", uri);
    }

    @Override
    Keuss keuss() {
        return Shared.keuss();
    }

    /**
     * keuss misses a signal if its id is lower than that of the last signal before it, which can happen in the same
     * second.
     */
    @Override
    void awaitAttached() {
        long second = System.currentTimeMillis() / 1_000;
        Awaitility.await("the next second")
                .pollInterval(Duration.ofMillis(20))
                .until(() -> System.currentTimeMillis() / 1_000 > second);
    }

    /** Jono and keuss read one channel for all queues, each with a cursor. */
    @Override
    void awaitListening(String queue, int clients) {
        List<BsonDocument> tails = List.of(
                BsonDocument.parse("{$currentOp: {allUsers: true, idleCursors: true}}"),
                BsonDocument.parse("{$match: {'cursor.tailable': true, ns: '" + database + "_signal.default'}}"));
        Awaitility.await("listeners to " + queue)
                .pollInterval(Duration.ofMillis(10))
                .atMost(KeussCase.LONG)
                .until(() -> Shared.client()
                                .getDatabase("admin")
                                .aggregate(tails)
                                .into(new ArrayList<>())
                                .size()
                        == 2);
    }

    @Override
    void close() {
        // Its factories continue to listen, and Node does not survive the loss of a channel, so the server ends with
        // the tests.
    }
}
