package dev.jono.backend.redisoq;

import dev.jono.Capability;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.PluginConfig;
import dev.jono.support.redis.RedisLink;
import java.util.Optional;
import java.util.Set;

/** The backend {@code redis-oq}: {@code redis-oq:redis://host:6379/0?jono.prefix=test:}. */
public final class RedisOqBackendProvider implements BackendProvider {
    static final String TYPE = "redis-oq";

    /** For {@link java.util.ServiceLoader}. */
    public RedisOqBackendProvider() {}

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public Set<Capability> capabilities() {
        return RedisOqBackend.CAPABILITIES;
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
        return new RedisOqBackend(RedisLink.open(config, Set.of()), config.namespace());
    }
}
