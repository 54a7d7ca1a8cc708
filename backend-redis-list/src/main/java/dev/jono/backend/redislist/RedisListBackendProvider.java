package dev.jono.backend.redislist;

import dev.jono.spi.Backend;
import dev.jono.spi.PluginConfig;
import dev.jono.support.redis.RedisBackendProvider;
import dev.jono.support.redis.RedisLink;
import java.util.Set;

/** The backend {@code redis-list}: {@code redis-list:redis://host:6379/0?jono.prefix=test:}. */
public final class RedisListBackendProvider extends RedisBackendProvider {
    /** For {@link java.util.ServiceLoader}. */
    public RedisListBackendProvider() {
        super(RedisListQueue.TYPE, RedisListBackend.CAPABILITIES, Set.of());
    }

    @Override
    protected Backend open(RedisLink link, PluginConfig config) {
        return new RedisListBackend(link, config.namespace());
    }
}
