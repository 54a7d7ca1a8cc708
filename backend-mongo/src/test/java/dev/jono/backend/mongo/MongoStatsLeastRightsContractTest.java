package dev.jono.backend.mongo;

import dev.jono.spi.StatsStore;
import dev.jono.stats.mongo.MongoStatsProvider;
import dev.jono.support.mongo.testing.LeastRights;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.PluginConfigs;
import dev.jono.testkit.StatsContract;
import dev.jono.testkit.server.MongoUsers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of stats for the user of {@link LeastRights}. */
class MongoStatsLeastRightsContractTest extends StatsContract {
    @RegisterExtension
    static final MongoUsers MONGO = MongoUsers.start();

    private static String uri;

    @BeforeAll
    static void makeUser() {
        uri = LeastRights.uri(MONGO, TestDatabases.newName());
    }

    @Override
    protected StatsStore open(String namespace) {
        return new MongoStatsProvider()
                .open(PluginConfigs.builder("mongo:" + uri).namespace(namespace).build());
    }
}
