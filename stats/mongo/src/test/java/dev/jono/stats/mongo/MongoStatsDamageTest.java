package dev.jono.stats.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoDatabase;
import dev.jono.spi.Counter;
import dev.jono.spi.StatsStore;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.server.MongoReplicaSet;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** Documents with values that other programs have damaged. */
class MongoStatsDamageTest {
    private static long pushed(StatsStore stats, String queue) {
        return stats.read(queue).toCompletableFuture().join().getOrDefault(Counter.PUSHED, 0L);
    }

    @Test
    void counterThatIsNoNumberAffectsNoOtherQueue() {
        String database = TestDatabases.newName();
        try (StatsStore stats = MongoStatsContractTest.open(MongoReplicaSet.sharedUri(database), "NS")) {
            MongoDatabase stored = TestDatabases.client().getDatabase(database + "_stats");
            try {
                Map<String, Map<Counter, Long>> counts =
                        Map.of("sound", Map.of(Counter.PUSHED, 2L), "broken", Map.of(Counter.PUSHED, 3L));
                stats.add(counts).toCompletableFuture().join();
                assertThat(stored.getCollection("keuss_stats")
                                .updateOne(
                                        new Document("_id", "keuss:stats:NS:broken"),
                                        new Document("$set", new Document("counters.put", "many")))
                                .getMatchedCount())
                        .isEqualTo(1);
                stats.add(counts).toCompletableFuture().join();
                assertThat(pushed(stats, "sound")).isEqualTo(4);
                assertThat(pushed(stats, "broken")).isZero();
            } finally {
                stored.drop();
            }
        }
    }
}
