package dev.jono.stats.redis;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsProvider;
import dev.jono.spi.StatsStore;
import dev.jono.support.redis.RedisLink;
import java.time.Duration;
import java.util.Set;

/**
 * The stats {@code redis}: shared by all processes that have the same Redis. Option, beside those of the connection: {@code
 * jono.expire}, a duration such as {@code 30d}, after which the stats of a queue that is neither used nor paused are deleted.
 */
public final class RedisStatsProvider implements StatsProvider {
    private static final String EXPIRE = "expire";

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
        Duration expire = config.url().positiveDurationOption(EXPIRE);
        return new RedisStats(RedisLink.open(config, Set.of(EXPIRE)), config, expire);
    }
}
