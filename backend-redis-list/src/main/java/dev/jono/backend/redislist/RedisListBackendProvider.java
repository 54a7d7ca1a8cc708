package dev.jono.backend.redislist;

import dev.jono.spi.Backend;
import dev.jono.support.redis.RedisBackendProvider;
import dev.jono.support.redis.RedisLink;

/** The backend {@code redis-list}: {@code redis-list:redis://host:6379/0?jono.prefix=test:}. */
public final class RedisListBackendProvider extends RedisBackendProvider {
    static final String TYPE = "redis-list";

    /** For {@link java.util.ServiceLoader}. */
    public RedisListBackendProvider() {
        super(TYPE, RedisListBackend.CAPABILITIES);
    }

    @Override
    protected Backend open(RedisLink link, String namespace) {
        return new RedisListBackend(link, namespace);
    }
}
