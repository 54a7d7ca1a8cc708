package dev.jono.stats.mongo;

import dev.jono.spi.StatsStore;
import dev.jono.testkit.StatsContract;
import dev.jono.testkit.server.MongoReplicaSet;

/** With an expiry the rules are the same. */
class MongoStatsExpiringContractTest extends StatsContract {
    @Override
    protected StatsStore open(String namespace) {
        String uri = MongoReplicaSet.sharedUri("jono_test_expiring");
        return MongoStatsContractTest.open(uri + (uri.contains("?") ? "&" : "?") + "jono.expire=1h", namespace);
    }
}
