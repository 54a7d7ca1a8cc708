package dev.jono.backend.redisoq;

import dev.jono.Capability;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.support.redis.RedisBackend;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import java.util.EnumSet;
import java.util.Set;

/** The queues of one Redis. */
final class RedisOqBackend extends RedisBackend {
    static final Set<Capability> CAPABILITIES = Set.copyOf(EnumSet.complementOf(EnumSet.of(Capability.HISTORY)));

    /** A script over 100 messages holds Redis for up to a millisecond. */
    static final int MAX_BATCH = 100;

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

    RedisOqBackend(RedisLink link, String namespace) {
        super(link, namespace, OqKeys.INDEX, OqScripts.PROBE);
    }

    @Override
    public BackendTraits traits() {
        return TRAITS;
    }

    @Override
    public QueueStore queue(QueueSpec spec) {
        return new OqQueue(this, spec.name());
    }

    OqKeys keys(String queue) {
        return new OqKeys(link().keys(), namespace(), queue);
    }

    @Override
    public boolean movesAtomically(String fromQueue, String toQueue) {
        RedisKeys keys = link().keys();
        return !link().cluster() || keys.slot(fromQueue) == keys.slot(toQueue);
    }
}
