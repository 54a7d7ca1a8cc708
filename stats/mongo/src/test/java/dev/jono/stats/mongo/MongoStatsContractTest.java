package dev.jono.stats.mongo;

import dev.jono.spi.StatsStore;
import dev.jono.testkit.PluginConfigs;
import dev.jono.testkit.StatsContract;
import dev.jono.testkit.server.MongoReplicaSet;

class MongoStatsContractTest extends StatsContract {
    @Override
    protected StatsStore open(String namespace) {
        return open(MongoReplicaSet.sharedUri("jono_test"), namespace);
    }

    static StatsStore open(String uri, String namespace) {
        return new MongoStatsProvider()
                .open(PluginConfigs.builder("mongo:" + uri).namespace(namespace).build());
    }
}
