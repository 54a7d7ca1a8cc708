package dev.jono.stats.redis;

import dev.jono.spi.StatsStore;
import dev.jono.testkit.StatsContract;
import dev.jono.testkit.server.RedisUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** As {@link RedisStatsLeastRightsContractTest}, with the further rights that a Cluster needs. */
@Tag("fault")
class RedisStatsClusterLeastRightsContractTest extends StatsContract {
    @RegisterExtension
    static final RedisUser REDIS = RedisUser.onCluster(
            RedisStatsLeastRightsContractTest.RIGHTS + " +cluster|nodes +cluster|myid +cluster|shards +info");

    @Override
    protected StatsStore open(String namespace) {
        return RedisStatsContractTest.open(REDIS.uri(), namespace);
    }
}
