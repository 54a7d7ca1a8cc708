package dev.jono.backend.sqlite;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsProvider;
import dev.jono.spi.StatsStore;

/** The stats {@code sqlite}: counters and paused flags in the file of the queues. */
public final class SqliteStatsProvider implements StatsProvider {
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
        return new SqliteStats(config);
    }
}
