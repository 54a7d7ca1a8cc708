package dev.jono.stats.redis;

import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsStore;
import dev.jono.testkit.StatsContract;
import dev.jono.testkit.server.RedisServer;

class RedisStatsContractTest extends StatsContract {
    @Override
    protected StatsStore open(String namespace) {
        return open(RedisServer.sharedUri(), namespace);
    }

    static StatsStore open(String uri, String namespace) {
        return new RedisStatsProvider()
                .open(PluginConfig.builder()
                        .url(ConnectionUrl.parse("redis:" + uri))
                        .namespace(namespace)
                        .executor(Runnable::run)
                        .build());
    }
}
