package dev.jono.stats.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.jono.spi.StatsStore;
import dev.jono.testkit.StatsExpiryContract;
import dev.jono.testkit.server.MongoReplicaSet;
import org.bson.Document;

class MongoStatsExpiryContractTest extends StatsExpiryContract {
    @Override
    protected StatsStore open(String namespace) {
        String uri = MongoReplicaSet.sharedUri("jono_test_expiry");
        try (MongoClient client = MongoClients.create(uri)) {
            // By default the TTL monitor runs once a minute.
            client.getDatabase("admin").runCommand(new Document("setParameter", 1).append("ttlMonitorSleepSecs", 1));
        }
        return MongoStatsContractTest.open(uri + (uri.contains("?") ? "&" : "?") + "jono.expire=3s", namespace);
    }
}
