package dev.jono.stats.mongo;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsProvider;
import dev.jono.spi.StatsStore;
import dev.jono.support.mongo.MongoLink;
import java.util.Set;

/** The stats {@code mongo}: shared by all processes that have the same MongoDB. */
public final class MongoStatsProvider implements StatsProvider {
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
        return new MongoStats(MongoLink.open(config, Set.of()), config);
    }
}
