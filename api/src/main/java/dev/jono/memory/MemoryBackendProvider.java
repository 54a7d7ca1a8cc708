package dev.jono.memory;

import dev.jono.Capability;
import dev.jono.ConfigurationException;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.PluginConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The provider of the backend {@code memory}: queues in the heap of this JVM. {@code memory:} is a separate storage for
 * each factory. {@code memory:NAME} is shared by all factories of the JVM with that name, including signals, counters
 * and paused flags. It exists until the last of them is closed, and uses the clock of the factory that opened it first.
 *
 * <p>Option: {@code jono.history}, a duration such as {@code 1h}, for which consumed messages of queues without their
 * own setting are kept; none by default.
 */
public final class MemoryBackendProvider implements BackendProvider {
    private static final String HISTORY = "history";
    private static final SharedByName<MemoryStorage> STORAGES = new SharedByName<>();

    /** For the service loader. */
    public MemoryBackendProvider() {}

    @Override
    public String type() {
        return "memory";
    }

    @Override
    public Set<Capability> capabilities() {
        return MemoryBackend.CAPABILITIES;
    }

    @Override
    public Optional<String> defaultSignaller() {
        return Optional.of(LocalSignallerProvider.TYPE);
    }

    @Override
    public Optional<String> defaultStats() {
        return Optional.of(MemStatsProvider.TYPE);
    }

    @Override
    public Backend open(PluginConfig config) {
        if (config.storage() != null) {
            throw new ConfigurationException("the backend 'memory' takes no storage object: to share a storage within"
                    + " the JVM, name it, as in memory:NAME");
        }
        String name = UrlNames.of(config.url(), Set.of(HISTORY));
        Duration history = config.url().durationOption(HISTORY);
        long historyMillis = history == null ? 0 : history.toMillis();
        if (name.isEmpty()) {
            return new MemoryBackend(new MemoryStorage(config.clock()), historyMillis, () -> {});
        }
        MemoryStorage shared = STORAGES.acquire(name, () -> new MemoryStorage(config.clock()));
        return new MemoryBackend(shared, historyMillis, () -> STORAGES.release(name));
    }
}
