package dev.jono.backend.redislist;

import dev.jono.Capability;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.support.redis.RedisBackend;
import dev.jono.support.redis.RedisLink;
import java.util.Set;

/** The lists of one Redis. */
final class RedisListBackend extends RedisBackend {
    static final Set<Capability> CAPABILITIES = Set.of(Capability.DELETE, Capability.SHARED, Capability.DURABLE);
    static final String LIST = "keuss:q:list:";

    /** A script over 500 messages holds Redis for about half a millisecond. */
    static final int MAX_BATCH = 500;

    /** A longer push is several scripts: Redis works on the first while the next is made ready. */
    static final int MAX_PUSH = 100;

    /** A call is dear here beside what it does for a message: larger batches than by default are worth some waiting. */
    private static final int PREFERRED_BATCH = 64;

    RedisListBackend(RedisLink link, String namespace) {
        super(
                link,
                namespace,
                traits(CAPABILITIES, MAX_BATCH).preferredBatch(PREFERRED_BATCH).build(),
                LIST,
                Scripts.PROBE);
    }

    @Override
    public QueueStore queue(QueueSpec spec) {
        return new RedisListQueue(link(), namespace(), spec.name());
    }
}
