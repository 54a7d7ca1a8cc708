package dev.jono.backend.redislist;

import dev.jono.Capability;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.support.redis.RedisBackend;
import dev.jono.support.redis.RedisLink;
import java.util.Set;

/** The lists of one Redis. */
final class RedisListBackend extends RedisBackend {
    static final Set<Capability> CAPABILITIES = Set.of(Capability.SHARED, Capability.DURABLE);
    static final String LIST = "keuss:q:list:";

    /** A script over 500 messages holds Redis for about half a millisecond. */
    static final int MAX_BATCH = 500;

    /** So many bytes end a batch that is read, so that no reply and no script grows with the size of the payloads. */
    static final long MAX_READ_BYTES = 4L << 20;

    /** Redis takes strings of 512 MiB at most, and Lua copies them: base64 makes four bytes of three. */
    private static final long MAX_PAYLOAD_BYTES = 64L << 20;

    private static final BackendTraits TRAITS = BackendTraits.builder()
            .capabilities(CAPABILITIES)
            .maxBatch(MAX_BATCH)
            .maxBatchBytes(MAX_READ_BYTES)
            .maxPayloadBytes(MAX_PAYLOAD_BYTES)
            .repeatable(true)
            .build();

    RedisListBackend(RedisLink link, String namespace) {
        super(link, namespace, LIST, ListScripts.PROBE);
    }

    @Override
    public BackendTraits traits() {
        return TRAITS;
    }

    @Override
    public QueueStore queue(QueueSpec spec) {
        return new ListQueue(link(), namespace(), spec.name());
    }
}
