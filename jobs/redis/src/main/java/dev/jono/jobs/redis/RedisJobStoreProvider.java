package dev.jono.jobs.redis;

import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.JobStoreProvider;
import dev.jono.spi.PluginConfig;
import dev.jono.support.redis.RedisLink;
import java.util.Set;

/** The provider of job stores for the backends on Redis. Their records are in the Redis of the queues. */
public final class RedisJobStoreProvider implements JobStoreProvider {
    /** For {@link java.util.ServiceLoader}. */
    public RedisJobStoreProvider() {}

    @Override
    public Set<String> backends() {
        return Set.of("redis-oq", "redis-list");
    }

    @Override
    public JobStore open(PluginConfig config) {
        return new RedisJobStore(RedisLink.open(config, Set.of()), config.clock());
    }
}
