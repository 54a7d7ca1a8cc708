package dev.jono.backend.redisoq;

import dev.jono.spi.Backend;
import dev.jono.support.redis.RedisBackendProvider;
import dev.jono.support.redis.RedisLink;

/** The backend {@code redis-oq}: {@code redis-oq:redis://host:6379/0?jono.prefix=test:}. */
public final class RedisOqBackendProvider extends RedisBackendProvider {
    static final String TYPE = "redis-oq";

    /** For {@link java.util.ServiceLoader}. */
    public RedisOqBackendProvider() {
        super(TYPE, RedisOqBackend.CAPABILITIES);
    }

    @Override
    protected Backend open(RedisLink link, String namespace) {
        return new RedisOqBackend(link, namespace);
    }
}
