package dev.jono.stats.redis;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsProvider;
import dev.jono.spi.StatsStore;
import dev.jono.support.redis.RedisLink;
import java.util.Set;

/** The stats {@code redis}: shared by all processes that have the same Redis. */
public final class RedisStatsProvider implements StatsProvider {
    /** For {@link java.util.ServiceLoader}. */
    public RedisStatsProvider() {}

    @Override
    public String type() {
        return "redis";
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public StatsStore open(PluginConfig config) {
        return new RedisStats(RedisLink.open(config, Set.of()), config.namespace());
    }
}
