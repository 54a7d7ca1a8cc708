package dev.jono.backend.redislist;

import dev.jono.Capability;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.PluginConfig;
import dev.jono.support.redis.RedisLink;
import java.util.Optional;
import java.util.Set;

/** The backend {@code redis-list}: {@code redis-list:redis://host:6379/0?jono.prefix=test:}. */
public final class RedisListBackendProvider implements BackendProvider {
    static final String TYPE = "redis-list";

    /** For {@link java.util.ServiceLoader}. */
    public RedisListBackendProvider() {}

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public Set<Capability> capabilities() {
        return RedisListBackend.CAPABILITIES;
    }

    @Override
    public Optional<String> naturalSignaller() {
        return Optional.of("redis-pubsub");
    }

    @Override
    public Optional<String> naturalStats() {
        return Optional.of("redis");
    }

    @Override
    public Backend open(PluginConfig config) {
        return new RedisListBackend(RedisLink.open(config, Set.of()), config.namespace());
    }
}
