package dev.jono.signal.redispubsub;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signaller;
import dev.jono.spi.SignallerProvider;
import dev.jono.support.redis.RedisLink;
import java.util.Set;

/** The signaller {@code redis-pubsub}: wakes all processes that use the same Redis. */
public final class RedisPubSubSignallerProvider implements SignallerProvider {
    /** For {@link java.util.ServiceLoader}. */
    public RedisPubSubSignallerProvider() {}

    @Override
    public String type() {
        return "redis-pubsub";
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public Signaller open(PluginConfig config) {
        return new RedisPubSubSignaller(RedisLink.open(config, Set.of()), config);
    }
}
