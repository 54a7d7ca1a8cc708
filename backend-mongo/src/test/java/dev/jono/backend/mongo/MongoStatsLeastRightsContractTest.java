package dev.jono.backend.mongo;

import dev.jono.spi.StatsStore;
import dev.jono.stats.mongo.MongoStatsProvider;
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
        uri = LeastRights.uri(MONGO, Fixture.database());
    }

    @Override
    protected StatsStore open(String namespace) {
        return new MongoStatsProvider()
                .open(Fixture.config("mongo:" + uri, namespace).build());
    }
}
