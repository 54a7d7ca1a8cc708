package dev.jono.backend.redisoq;

import dev.jono.Capability;
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
    static final int MAX_SCRIPT = 100;

    /** A call is sent as up to three scripts: while the answer to one is read, Redis has the next. */
    static final int MAX_BATCH = 3 * MAX_SCRIPT;

    /** While Redis works on one half of 64, the other half is made ready. */
    private static final int PREFERRED_BATCH = 32;

    /**
     * Of what a pop of 32 takes, two thirds are Redis's and a fourth is the way there and back: two halves that take turns are
     * slower than one whole.
     */
    private static final int PREFERRED_TAKE_BATCH = 64;

    /** While the answer to one batch of acks is dealt with, Redis has another. */
    private static final int MAX_CONCURRENT_ACKS = 2;

    private final int markBytes;

    /**
     * On one connection.
     *
     * @param markBytes the longest text that is marked for keuss while it is held
     */
    RedisOqBackend(RedisLink link, String namespace, int markBytes) {
        super(
                link,
                namespace,
                traits(CAPABILITIES, MAX_BATCH)
                        .preferredBatch(PREFERRED_BATCH)
                        .preferredTakeBatch(PREFERRED_TAKE_BATCH)
                        .maxAckBatch(MAX_SCRIPT)
                        .maxConcurrentAcks(MAX_CONCURRENT_ACKS)
                        .build(),
                QueueKeys.INDEX,
                Scripts.PROBE);
        this.markBytes = markBytes;
    }

    @Override
    public QueueStore queue(QueueSpec spec) {
        return new RedisOqQueue(this, spec.name());
    }

    int markBytes() {
        return markBytes;
    }

    QueueKeys keys(String queue) {
        return new QueueKeys(link().keys(), namespace(), queue);
    }

    @Override
    public boolean movesAtomically(String fromQueue, String toQueue) {
        RedisKeys keys = link().keys();
        return !link().cluster() || keys.slot(fromQueue) == keys.slot(toQueue);
    }
}
