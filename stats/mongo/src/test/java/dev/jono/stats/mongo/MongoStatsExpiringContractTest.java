package dev.jono.stats.mongo;

import dev.jono.spi.StatsStore;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.StatsContract;
import dev.jono.testkit.server.MongoReplicaSet;

/** The same contract with an expiry. */
class MongoStatsExpiringContractTest extends StatsContract {
    @Override
    protected StatsStore open(String namespace) {
        String uri = MongoReplicaSet.sharedUri("jono_test_expiring");
        return MongoStatsContractTest.open(TestDatabases.withOptions(uri, "jono.expire=1h"), namespace);
    }
}
