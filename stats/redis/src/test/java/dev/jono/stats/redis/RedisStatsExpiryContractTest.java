package dev.jono.stats.redis;

import dev.jono.spi.StatsStore;
import dev.jono.testkit.StatsExpiryContract;
import dev.jono.testkit.server.RedisServer;

class RedisStatsExpiryContractTest extends StatsExpiryContract {
    @Override
    protected StatsStore open(String namespace) {
        return RedisStatsContractTest.open(RedisServer.sharedUri() + "?jono.expire=3s", namespace);
    }
}
