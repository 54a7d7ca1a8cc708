package dev.jono.support.redis;

import dev.jono.Capability;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.PluginConfig;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Base of the providers of backends on Redis: opens the connection, and names the default signaller and stats. */
public abstract class RedisBackendProvider implements BackendProvider {
    private final String type;
    private final Set<Capability> capabilities;
    private final Set<String> options;

    /**
     * For subclasses.
     *
     * @param type the backend's type in URLs
     * @param options names of the backend's own options, in addition to those of {@link RedisOptions}
     */
    protected RedisBackendProvider(String type, Set<Capability> capabilities, Set<String> options) {
        this.type = type;
        this.capabilities = Set.copyOf(capabilities);
        Set<String> known = new HashSet<>(options);
        known.add(RedisOptions.REPLICAS);
        this.options = Set.copyOf(known);
    }

    /**
     * Opens the backend over a connection, which it closes, also if this method fails.
     *
     * @param config its URL may have options of the backend's own
     */
    protected abstract Backend open(RedisLink link, PluginConfig config);

    @Override
    public final String type() {
        return type;
    }

    @Override
    public final Set<Capability> capabilities() {
        return capabilities;
    }

    @Override
    public final Optional<String> defaultSignaller() {
        return Optional.of("redis-pubsub");
    }

    @Override
    public final Optional<String> defaultStats() {
        return Optional.of("redis");
    }

    @Override
    public final Backend open(PluginConfig config) {
        return open(RedisLink.open(config, options), config);
    }
}
