package dev.jono.stats.mongo;

import dev.jono.spi.StatsStore;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.StatsExpiryContract;
import dev.jono.testkit.server.MongoReplicaSet;

class MongoStatsExpiryContractTest extends StatsExpiryContract {
    @Override
    protected StatsStore open(String namespace) {
        String uri = MongoReplicaSet.sharedUri("jono_test_expiry");
        return MongoStatsContractTest.open(TestDatabases.withOptions(uri, "jono.expire=3s"), namespace);
    }
}
