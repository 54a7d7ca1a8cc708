package dev.jono.backend.redislist;

import dev.jono.Capability;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.support.redis.RedisBackend;
import dev.jono.support.redis.RedisLink;
import java.util.List;
import java.util.Set;

/** The lists of one Redis: a factory for their stores. */
final class RedisListBackend extends RedisBackend {
    static final Set<Capability> CAPABILITIES = Set.of(Capability.DELETE, Capability.SHARED, Capability.DURABLE);
    /** How the key of a list begins, after the prefix. The queue's name follows. */
    static final String LIST = "keuss:q:list:";

    /** Larger than the default: the fixed part of a call is expensive compared with a message, so a short wait for more pays. */
    private static final int PREFERRED_BATCH = 64;

    RedisListBackend(RedisLink link, String namespace) {
        super(
                link,
                namespace,
                traits(CAPABILITIES, Limits.MAX_BATCH)
                        .preferredBatch(PREFERRED_BATCH)
                        .build(),
                List.of(LIST),
                Scripts.PROBE);
    }

    @Override
    public QueueStore queue(QueueSpec spec) {
        return new RedisListQueue(link(), namespace(), spec.name());
    }
}
