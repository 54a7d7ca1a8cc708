package dev.jono.stats.postgres;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsProvider;
import dev.jono.spi.StatsStore;
import dev.jono.support.postgres.PostgresLink;
import java.time.Duration;
import java.util.Set;

/**
 * The stats {@code postgres}: shared by all processes that use the same schema. In addition to the options of the connection
 * it has {@code jono.expire}, a duration such as {@code 30d}. After that time without use, the counters of a queue that is not
 * paused are deleted.
 */
public final class PostgresStatsProvider implements StatsProvider {
    private static final String EXPIRE = "expire";

    /** For {@link java.util.ServiceLoader}. */
    public PostgresStatsProvider() {}

    @Override
    public String type() {
        return "postgres";
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public StatsStore open(PluginConfig config) {
        Duration expire = config.url().positiveDurationOption(EXPIRE);
        long millis = expire == null ? 0 : expire.toMillis();
        return new PostgresStats(PostgresLink.open(config, Set.of(EXPIRE)), config, millis);
    }
}
