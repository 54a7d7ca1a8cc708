package dev.jono.stats.redis;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsProvider;
import dev.jono.spi.StatsStore;
import dev.jono.support.redis.RedisLink;
import java.time.Duration;
import java.util.Set;

/**
 * The stats {@code redis}, shared by all processes that use the same Redis. In addition to the options of the connection there
 * is {@code jono.expire}, a duration such as {@code 30d}. After this time Redis deletes the stats of a queue that is neither
 * used nor paused.
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
