package dev.jono.memory;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsProvider;
import dev.jono.spi.StatsStore;
import java.util.Set;

/**
 * The stats {@code mem}: counters and the paused flag within this JVM. {@code mem:} is shared by all who share the same
 * {@code memory} store, and over another backend is its factory's own; {@code mem:NAME} is shared by all stats of the
 * JVM that are opened under the name. Namespaces are kept apart. No options.
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
        String name = UrlNames.of(config.url(), Set.of());
        if (!name.isEmpty()) {
            StatsTable named = TABLES.acquire(name, StatsTable::new);
            return new MemStats(named, config.namespace(), () -> TABLES.release(name));
        }
        StatsTable table = config.storage() instanceof MemoryStorage memory ? memory.stats : new StatsTable();
        return new MemStats(table, config.namespace(), () -> {});
    }
}
