package dev.jono.stats.mongo;

import dev.jono.spi.StatsStore;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.StatsExpiryContract;
import dev.jono.testkit.server.MongoReplicaSet;
import org.bson.Document;

class MongoStatsExpiryContractTest extends StatsExpiryContract {
    @Override
    protected StatsStore open(String namespace) {
        // By default the TTL monitor runs once a minute.
        TestDatabases.client()
                .getDatabase("admin")
                .runCommand(new Document("setParameter", 1).append("ttlMonitorSleepSecs", 1));
        String uri = MongoReplicaSet.sharedUri("jono_test_expiry");
        return MongoStatsContractTest.open(TestDatabases.withOptions(uri, "jono.expire=3s"), namespace);
    }
}
