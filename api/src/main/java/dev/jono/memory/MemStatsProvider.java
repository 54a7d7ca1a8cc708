package dev.jono.memory;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsProvider;
import dev.jono.spi.StatsStore;

/**
 * The provider of the stats {@code mem}: counters and paused flags within this JVM. {@code mem:} is shared by all
 * factories on the same {@code memory} storage; with another backend it belongs to its factory. {@code mem:NAME} is
 * shared by all stats of the JVM with that name. Namespaces are separate. No options.
 */
public final class MemStatsProvider implements StatsProvider {
    static final String TYPE = "mem";

    private static final SharedByName<StatsTable> TABLES = new SharedByName<>();

    /** For the service loader. */
    public MemStatsProvider() {}

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public boolean shared() {
        return false;
    }

    @Override
    public StatsStore open(PluginConfig config) {
        return TABLES.open(
                config,
                StatsTable::new,
                memory -> memory.stats,
                (table, onClose) -> new MemStats(table, config.namespace(), onClose));
    }
}
