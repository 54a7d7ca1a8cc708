package dev.jono.backend.redisoq;

import dev.jono.Capability;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.support.redis.RedisBackend;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The queues of one Redis: a factory for their stores. */
final class RedisOqBackend extends RedisBackend {
    static final Set<Capability> CAPABILITIES =
            Set.copyOf(EnumSet.complementOf(EnumSet.of(Capability.HISTORY, Capability.TRANSACTION)));

    /** Half of 64 calls in flight: the engine prepares one batch while Redis works on the other. */
    private static final int PREFERRED_BATCH = 32;

    /**
     * Larger than for other calls: a large part of a take is the round trip. Two interleaved takes of 32 are slower than one of
     * 64.
     */
    private static final int PREFERRED_TAKE_BATCH = 64;

    /** Redis works on one batch of acks while the client handles the result of another. */
    private static final int MAX_CONCURRENT_ACKS = 2;

    private final int markBytes;

    /**
     * A backend over a connection, which it closes.
     *
     * @param markBytes the longest text that a claim marks as reserved for keuss
     */
    RedisOqBackend(RedisLink link, String namespace, int markBytes) {
        super(
                link,
                namespace,
                traits(CAPABILITIES, Limits.MAX_BATCH)
                        .preferredBatch(PREFERRED_BATCH)
                        .preferredTakeBatch(PREFERRED_TAKE_BATCH)
                        .maxAckBatch(Limits.MAX_SCRIPT)
                        .maxConcurrentAcks(MAX_CONCURRENT_ACKS)
                        .tellsFirstDelivery(true)
                        .build(),
                List.of(QueueKeys.INDEX, QueueKeys.KEYED_INDEX),
                Scripts.PROBE);
        this.markBytes = markBytes;
    }

    @Override
    public QueueStore queue(QueueSpec spec) {
        QueueKeys plain = keys(spec.name(), /* keyed= */ false);
        QueueKeys keyed = keys(spec.name(), /* keyed= */ true);
        return new RedisOqQueue(link(), spec, plain.main, calls(spec, plain), calls(spec, keyed));
    }

    private QueueCalls calls(QueueSpec spec, QueueKeys keys) {
        return new QueueCalls(link(), spec.name(), keys, target -> keys(target, /* keyed= */ false), markBytes);
    }

    private QueueKeys keys(String queue, boolean keyed) {
        return new QueueKeys(link().keys(), namespace(), queue, keyed);
    }

    @Override
    public boolean movesAtomically(String fromQueue, String toQueue) {
        RedisKeys keys = link().keys();
        return !link().cluster() || keys.slot(fromQueue) == keys.slot(toQueue);
    }
}
