package dev.jono.stats.mongo;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsProvider;
import dev.jono.spi.StatsStore;
import dev.jono.support.mongo.MongoLink;
import java.time.Duration;
import java.util.Set;

/**
 * The stats {@code mongo}: shared by all processes that use the same MongoDB. In addition to the options of the
 * connection it has {@code jono.expire}, a duration such as {@code 30d}: the stats of a queue that is neither used nor
 * paused for that time are deleted.
 */
public final class MongoStatsProvider implements StatsProvider {
    private static final String EXPIRE = "expire";

    /** For {@link java.util.ServiceLoader}. */
    public MongoStatsProvider() {}

    @Override
    public String type() {
        return "mongo";
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public StatsStore open(PluginConfig config) {
        Duration expire = config.url().positiveDurationOption(EXPIRE);
        return new MongoStats(MongoLink.open(config, Set.of(EXPIRE)), config, expire);
    }
}
