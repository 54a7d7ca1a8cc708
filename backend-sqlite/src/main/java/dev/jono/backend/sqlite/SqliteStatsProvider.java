package dev.jono.backend.sqlite;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsProvider;
import dev.jono.spi.StatsStore;
import java.time.Duration;
import java.util.Set;

/**
 * The provider of the stats {@code sqlite}: counters and paused flags in the file of the queues. Besides the options of
 * the file it has {@code jono.expire}, a duration such as {@code 30d}. After that time without use, the counters of a
 * queue that is not paused are deleted.
 */
public final class SqliteStatsProvider implements StatsProvider {
    private static final String EXPIRE = "expire";

    /** For {@link java.util.ServiceLoader}. */
    public SqliteStatsProvider() {}

    @Override
    public String type() {
        return SqliteBackendProvider.TYPE;
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public StatsStore open(PluginConfig config) {
        Duration expire = config.url().positiveDurationOption(EXPIRE);
        long millis = expire == null ? 0 : expire.toMillis();
        return new SqliteStats(config, FileHandle.open(config, Set.of(EXPIRE)), millis);
    }
}
